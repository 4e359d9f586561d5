// The initial field of the optimization: sites on the bones, and values from which the optimizer converges.
#pragma once

#include <cstdint>
#include <span>

#include "skincells/field.h"

namespace skincells::field {

// A straight piece of a joint's bone, in unit-box coordinates. A joint without a bone has a segment of length 0.
struct BoneSegment {
  int joint = 0;
  Vec3d a, b;
};

struct InitialValues {
  double offset = 0.01; // t
  double falloff = 3;   // r
  double slack = 0.003; // c
  double scale = 1;     // F = scale * identity
  double front = 1;     // k, of fields that see normals
};

// Sites of a joint with one segment are placed evenly along it; with several segments, at random in the convex hull of
// their ends. Every joint must have a segment. A joint's sites depend only on its segments and the seed.
//
// The paper starts with t, r and c near 1. In a unit box this field is nearly uniform, and Adam cannot leave it; the
// default values here give sharp cells around the bones.
FieldParameters initializeField(std::span<const BoneSegment> segments, const FieldLayout& layout, int max_influences,
                                std::uint64_t seed, const InitialValues& start = {});

} // namespace skincells::field
