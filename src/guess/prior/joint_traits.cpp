#include "guess/prior/joint_traits.h"

#include <algorithm>
#include <cmath>

#include "rig/names/name_words.h"

namespace skincells::guess {
namespace {

using Part = rig::HumanPart;
using Meaning = rig::WordMeaning;

constexpr std::string_view kNames[] = {
    "leaf",           "one child",   "two children", "many children", "depth",       "height",      "beside",
    "forward",        "bone length", "bone bend",    "bone ratio",    "descendants", "off surface", "gap to the parent",
    "sided",          "word: hips",  "word: spine",  "word: neck",    "word: head",  "word: jaw",   "word: face",
    "word: shoulder", "word: arm",   "word: hand",   "word: finger",  "word: thigh", "word: shin",  "word: foot",
    "word: toe",      "word: tail",  "word: helper", "word: ear",     "word: cloth", "word: prop",  "word: wing"};

float flag(bool b) {
  return b ? 1.0F : 0.0F;
}

// Fills `first` and `below`.
void numberDescendants(const rig::DeformRig& rig, std::vector<JointTraits>& traits) {
  std::vector<int> order; // parents first
  for (int j : parentFirstOrder(rig.skeleton))
    if (std::ranges::binary_search(rig.deforming, j)) order.push_back(j);
  for (auto j = order.rbegin(); j != order.rend(); ++j)
    if (const int parent = traits[*j].parent; parent >= 0) traits[parent].below += 1 + traits[*j].below;
  int next_root = 0;
  for (int j : order) {
    if (traits[j].parent < 0) {
      traits[j].first = next_root;
      next_root += 1 + traits[j].below;
    }
    int next = traits[j].first + 1;
    for (int child : traits[j].children) {
      traits[child].first = next;
      next += 1 + traits[child].below;
    }
  }
}

struct BoneShape {
  double length = 0; // of the longest segment
  Vec3d direction;   // of the longest segment
};

std::vector<BoneShape> boneShapes(std::size_t joint_count, std::span<const rig::BoneSegment> bones) {
  std::vector<BoneShape> shapes(joint_count);
  for (const rig::BoneSegment& b : bones) {
    BoneShape& shape = shapes[static_cast<std::size_t>(b.joint)];
    const double l = length(b.b - b.a);
    if (l <= shape.length) continue;
    shape = {l, normalized(b.b - b.a)};
  }
  return shapes;
}

// How far a joint is from the bones of its parent: large for feet that hang on a root.
// bones: those of a joint are adjacent, joints in ascending order.
double gapToParent(const Skeleton& placed, const JointTraits& traits, int joint,
                   std::span<const rig::BoneSegment> bones) {
  if (traits.parent < 0) return 0;
  const Vec3d p = placed.bindPosition(joint);
  double gap = INFINITY;
  auto bone = std::ranges::lower_bound(bones, traits.parent, {}, &rig::BoneSegment::joint);
  for (; bone != bones.end() && bone->joint == traits.parent; ++bone)
    gap = std::min(gap, rig::closestOnSegment(p, bone->a, bone->b).squared_distance);
  return gap < INFINITY ? std::sqrt(gap) : 0;
}

void addWords(const rig::JointName& name, std::vector<float>& values) {
  const auto part = [&](std::initializer_list<Part> parts) { values.push_back(flag(rig::mentionsPart(name, parts))); };
  const auto word = [&](std::initializer_list<Meaning> meanings) {
    values.push_back(
        flag(std::ranges::any_of(meanings, [&](Meaning meaning) { return rig::mentions(name, meaning); })));
  };
  part({Part::Hips});
  part({Part::Spine, Part::Chest});
  part({Part::Neck});
  part({Part::Head});
  part({Part::Jaw});
  word({Meaning::Face});
  part({Part::Shoulder});
  part({Part::UpperArm, Part::LowerArm});
  part({Part::Hand, Part::Palm});
  word({Meaning::Finger, Meaning::Phalanx});
  part({Part::UpperLeg});
  part({Part::LowerLeg});
  values.push_back(flag(rig::mentionsPart(name, {Part::Foot}) || rig::mentions(name, Meaning::AnimalFoot)));
  part({Part::Toe});
  word({Meaning::Tail});
  word({Meaning::Roll, Meaning::Control, Meaning::BoneEnd, Meaning::SkeletonTop});
  word({Meaning::Ear});
  word({Meaning::Cloth});
  word({Meaning::Prop});
  word({Meaning::Wing});
}

} // namespace

std::span<const std::string_view> jointTraitNames() {
  return kNames;
}

std::vector<JointTraits> jointTraits(const rig::DeformRig& rig, std::span<const rig::BoneSegment> bones,
                                     const Box& bounds, const Orientation& axes,
                                     std::span<const double> nearest_surface) {
  const std::size_t count = rig.skeleton.joints.size();
  std::vector<JointTraits> traits(count);
  std::vector<char> deforms(count);
  for (int j : rig.deforming) deforms[j] = 1;
  for (int j : parentFirstOrder(rig.skeleton)) {
    int parent = rig.skeleton.joints[j].parent;
    while (parent != kNoParent && !deforms[parent]) parent = rig.skeleton.joints[parent].parent;
    traits[j].parent = parent;
    if (parent == kNoParent || !deforms[j]) continue;
    traits[j].depth = traits[parent].depth + 1;
    traits[parent].children.push_back(j);
  }
  numberDescendants(rig, traits);
  const std::vector<BoneShape> shapes = boneShapes(count, bones);
  const auto names = rig::jointNames(rig.skeleton);
  const Vec3d aside = cross(axes.up, axes.forward), center = bounds.center();
  const double size = std::max(bounds.diagonal(), 1e-9);
  for (int j : rig.deforming) {
    JointTraits& t = traits[j];
    const std::size_t children = t.children.size();
    t.values = {flag(children == 0), flag(children == 1), flag(children == 2), flag(children > 2)};
    t.values.push_back(static_cast<float>(std::log1p(t.depth)));
    const Vec3d p = rig.skeleton.bindPosition(j) - center;
    t.values.push_back(static_cast<float>(2 * dot(p, axes.up) / size));
    t.values.push_back(static_cast<float>(2 * std::abs(dot(p, aside)) / size));
    t.values.push_back(static_cast<float>(2 * dot(p, axes.forward) / size));
    t.values.push_back(static_cast<float>(std::log1p(shapes[j].length) - 2));
    const bool has_parent = t.parent >= 0;
    t.values.push_back(has_parent ? static_cast<float>(dot(shapes[j].direction, shapes[t.parent].direction)) : 0.0F);
    const double parent_length = has_parent ? shapes[t.parent].length : shapes[j].length;
    t.values.push_back(static_cast<float>(std::log((shapes[j].length + 1) / (parent_length + 1))));
    t.values.push_back(static_cast<float>(std::log1p(t.below) - 1));
    t.values.push_back(static_cast<float>(std::log1p(nearest_surface[j]) - 1));
    t.values.push_back(static_cast<float>(std::log1p(gapToParent(rig.skeleton, t, j, bones)) - 1));
    t.values.push_back(flag(names[j].side != rig::Side::None));
    addWords(names[j], t.values);
  }
  return traits;
}

bool isAncestor(const std::vector<JointTraits>& traits, int ancestor, int joint) {
  return traits[joint].first > traits[ancestor].first &&
         traits[joint].first <= traits[ancestor].first + traits[ancestor].below;
}

Relation relationOf(const std::vector<JointTraits>& traits, int a, int b) {
  if (a == b) return Relation::Same;
  if (traits[b].parent == a) return Relation::Parent;
  if (traits[a].parent == b) return Relation::Child;
  if (traits[a].parent >= 0 && traits[a].parent == traits[b].parent) return Relation::Sibling;
  if (isAncestor(traits, a, b)) return Relation::Ancestor;
  if (isAncestor(traits, b, a)) return Relation::Descendant;
  return Relation::Other;
}

int pathLength(const std::vector<JointTraits>& traits, int a, int b, int most) {
  int steps = 0;
  while (a != b && steps < most) {
    int& deeper = traits[a].depth >= traits[b].depth ? a : b;
    if (traits[deeper].parent < 0) return most;
    deeper = traits[deeper].parent;
    ++steps;
  }
  return steps;
}

} // namespace skincells::guess
