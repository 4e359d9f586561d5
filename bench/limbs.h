// A made-up character of any size for benchmarks: a grid of upright limbs, each a tube around a chain of joints, with
// the field, springs and poses that an optimization step needs.
#pragma once

#include <cstddef>
#include <vector>

#include "fit/field_fit.h"
#include "skincells/field.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"

namespace skincells::bench {

struct LimbsSize {
  int limbs = 16, joints_per_limb = 5;
  int rings = 17, sides = 11; // vertices of each limb's tube; by default 2,992 for the character
  int sites = 6, poses = 4;

  int joints() const { return limbs * joints_per_limb; }
};

// The size with about this many vertices on the same joints.
LimbsSize withVertices(LimbsSize size, int vertices);

struct Limbs {
  Mesh mesh;
  Skeleton skeleton;
  std::vector<fit::BoneSpring> springs;
  FieldParameters field;
  std::vector<Pose> poses;

  explicit Limbs(const LimbsSize& size = {});
  // The character's own poses at every step.
  fit::PoseSampler sampler() const {
    return [this](int, int) { return poses; };
  }
};

} // namespace skincells::bench
