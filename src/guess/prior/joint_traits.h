// What is known of a joint before any weights: its place in the skeleton and in the body, its bones, its name.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "guess/symmetry.h"
#include "rig/bones.h"
#include "skincells/rig.h"

namespace skincells::guess {

// The names of the numbers in JointTraits::values, in order.
std::span<const std::string_view> jointTraitNames();

struct JointTraits {
  int parent = -1; // nearest ancestor that deforms
  int depth = 0;   // deforming ancestors
  int first = 0;   // the joint and its deforming descendants are numbers first .. first + below of a walk over the
  int below = 0;   // skeleton; below: how many descendants
  std::vector<int> children;
  std::vector<float> values;
};

// One entry per joint of the skeleton; `values` is empty for joints that do not deform.
// rig.skeleton: in the scene. bones: as from surfaceBones. nearest_surface: per joint, distance to the nearest vertex.
std::vector<JointTraits> jointTraits(const rig::DeformRig& rig, std::span<const rig::BoneSegment> bones,
                                     const Box& bounds, const Orientation& axes,
                                     std::span<const double> nearest_surface);

enum class Relation { Same, Parent, Child, Sibling, Ancestor, Descendant, Other };
inline constexpr int kRelations = 7;

// What `a` is to `b`.
Relation relationOf(const std::vector<JointTraits>& traits, int a, int b);
// Joints on the path between them in the skeleton, at most `most`.
int pathLength(const std::vector<JointTraits>& traits, int a, int b, int most);
bool isAncestor(const std::vector<JointTraits>& traits, int ancestor, int joint);

} // namespace skincells::guess
