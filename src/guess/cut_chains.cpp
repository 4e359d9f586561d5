#include "guess/cut_chains.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "guess/surface_bones.h"
#include "guess/symmetry.h"
#include "guess/tuning.h"

namespace skincells::guess {
namespace {

struct Gap {
  double length = 0;
  int end = -1, start = -1; // the last joint of a limb, the root of what continues it
};

// The joints that deform, as trees.
struct Trees {
  Trees(const Skeleton& skeleton, const rig::DeformRig& rig)
      : root(skeleton.joints.size(), -1), carries(skeleton.joints.size()), extent(skeleton.joints.size()) {
    std::vector<bool> deforms(skeleton.joints.size());
    for (int j : rig.deforming) deforms[j] = true;
    const std::vector<int> order = parentFirstOrder(skeleton);
    for (int j : order) { // also of joints between, for now
      const int parent = skeleton.joints[j].parent;
      if (parent != kNoParent) root[j] = root[parent];
      if (root[j] < 0 && deforms[j]) root[j] = j;
    }
    for (auto j = order.rbegin(); j != order.rend(); ++j)
      if (const int parent = skeleton.joints[*j].parent; parent != kNoParent && (deforms[*j] || carries[*j]))
        carries[parent] = true;
    for (std::size_t j = 0; j < root.size(); ++j)
      if (!deforms[j]) root[j] = -1;
    for (int j : rig.deforming)
      extent[root[j]] = std::max(extent[root[j]], length(skeleton.bindPosition(j) - skeleton.bindPosition(root[j])));
  }
  std::vector<int> root;      // topmost deforming joint above, or the joint itself; -1: does not deform
  std::vector<bool> carries;  // some joint below deforms
  std::vector<double> extent; // of a root: how far away its farthest joint is
};

// Shortest first.
std::vector<Gap> gapsOf(const Skeleton& skeleton, const rig::DeformRig& rig, const Trees& trees, const Box& bounds) {
  const Orientation axes = guessOrientation(skeleton, bounds);
  const Vec3d aside = cross(axes.up, axes.forward) * (1 / std::max(bounds.diagonal(), 1e-9));
  const auto sideOf = [&](int j) { return dot(skeleton.bindPosition(j) - bounds.center(), aside); };
  std::vector<int> starts;
  for (int j : rig.deforming)
    if (trees.root[j] == j && std::ranges::find(rig.misplaced, j) == rig.misplaced.end()) starts.push_back(j);
  std::vector<Gap> gaps;
  for (int end : rig.deforming) {
    const int parent = skeleton.joints[end].parent;
    if (trees.carries[end] || parent == kNoParent || trees.root[end] == end) continue;
    const Vec3d at = skeleton.bindPosition(end), before = at - skeleton.bindPosition(parent);
    for (int start : starts) {
      const Vec3d across = skeleton.bindPosition(start) - at;
      const double gap = length(across), bone = length(before);
      // What continues a limb is smaller than the tree that the limb belongs to.
      if (start == trees.root[end] || trees.extent[start] >= trees.extent[trees.root[end]]) continue;
      if (std::min(std::abs(sideOf(end)), std::abs(sideOf(start))) < kTuning.gap_beside ||
          sideOf(end) * sideOf(start) < 0)
        continue;
      if (gap == 0 || gap > kTuning.longest_gap * bone || dot(across, before) < kTuning.gap_straight * gap * bone)
        continue;
      gaps.push_back({gap, end, start});
    }
  }
  std::ranges::stable_sort(gaps, {}, &Gap::length);
  return gaps;
}

} // namespace

void joinCutChains(Skeleton& skeleton, const rig::DeformRig& rig, const GuessScene& scene) {
  const Trees trees(skeleton, rig);
  std::vector<bool> joined(skeleton.joints.size());
  for (const Gap& gap : gapsOf(skeleton, rig, trees, scene.mesh.bounds())) {
    if (joined[gap.end] || joined[gap.start]) continue;
    if (!runsInside(scene.rays, skeleton.bindPosition(gap.end), skeleton.bindPosition(gap.start))) continue;
    skeleton.joints[gap.start].parent = gap.end;
    joined[gap.end] = joined[gap.start] = true;
  }
}

} // namespace skincells::guess
