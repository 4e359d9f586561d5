// The start of a field: sites on the bones, and values from which the optimizer gets somewhere.
#pragma once

#include <cstdint>
#include <span>

#include "skincells/field.h"

namespace skincells::field {

// A straight piece of a joint's bone, in unit-box coordinates. A joint that is only a point has one of length 0.
struct BoneSegment {
  int joint = 0;
  Vec3d a, b;
};

struct InitialValues {
  double offset = 0.01; // t
  double falloff = 3;   // r
  double slack = 0.003; // c
  double scale = 1;     // of F, which is a multiple of the identity
};

// Sites of a joint with one segment stand evenly along it; with several segments, at random in the convex hull of
// their ends. Every joint must have a segment. A joint's sites depend on its own segments and the seed alone.
//
// The paper starts at t, r, c near 1, which is a nearly uniform field in a unit box from which Adam cannot escape;
// the default values are sharp cells around the bones.
FieldParameters initializeField(std::span<const BoneSegment> segments, const FieldLayout& layout, int max_influences,
                                std::uint64_t seed, const InitialValues& start = {});

} // namespace skincells::field
