// A synthetic character of any size for benchmarks: a grid of upright limbs, each a tube around a chain of joints, with
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
  std::vector<rig::BoneSpring> springs;
  FieldParameters field;
  std::vector<Pose> poses;

  explicit Limbs(const LimbsSize& size = {});
  // The same poses at every step.
  fit::PoseBatches batches() const {
    return [this](int, int) { return poses; };
  }
};

// The product's settings of the pose losses.
inline fit::LossFitOptions lossFit(int steps, int poses_per_step = 4) {
  fit::LossFitOptions options;
  options.steps = steps;
  options.poses_per_step = poses_per_step;
  options.rates = fit::Tuning{}.loss_rates;
  return options;
}

} // namespace skincells::bench
