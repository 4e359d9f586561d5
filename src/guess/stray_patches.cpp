#include "guess/stray_patches.h"

#include <algorithm>
#include <set>
#include <utility>

namespace skincells::guess {
namespace {

// The mesh cut between vertices of different joints: its islands are the patches.
Islands cutIslands(const GuessScene& scene, std::span<const int> joints) {
  Mesh inner;
  inner.positions = scene.mesh.positions;
  for (const mesh::EdgeWeight& e : scene.edges)
    if (joints[e.a] == joints[e.b]) inner.triangles.push_back({e.a, e.b, e.b});
  return findIslands(inner);
}

bool touchesRelated(const Patch& patch, const Skeleton& skeleton) {
  return std::ranges::any_of(patch.neighbors, [&](int n) { return areRelated(skeleton, patch.joint, n); });
}

} // namespace

bool areRelated(const Skeleton& skeleton, int a, int b) {
  const int parent_a = skeleton.joints[static_cast<std::size_t>(a)].parent;
  const int parent_b = skeleton.joints[static_cast<std::size_t>(b)].parent;
  return a == b || parent_a == b || parent_b == a || (parent_a == parent_b && parent_a != kNoParent);
}

Patches findPatches(const GuessScene& scene, std::span<const int> joints, const Skeleton& skeleton) {
  Islands cut = cutIslands(scene, joints);
  Patches found;
  found.patches.resize(cut.count);
  found.patch_of_vertex = std::move(cut.island_of_vertex);
  for (std::size_t v = 0; v < joints.size(); ++v) {
    Patch& patch = found.patches[found.patch_of_vertex[v]];
    patch.joint = joints[v];
    patch.island = scene.islands.island_of_vertex[v];
  }
  for (const mesh::EdgeWeight& e : scene.edges) {
    if (joints[e.a] == joints[e.b]) continue;
    found.patches[found.patch_of_vertex[e.a]].neighbors.push_back(joints[e.b]);
    found.patches[found.patch_of_vertex[e.b]].neighbors.push_back(joints[e.a]);
  }
  std::set<std::pair<std::uint32_t, int>> settled; // island and joint with a patch that touches a related one
  for (Patch& patch : found.patches) {
    std::ranges::sort(patch.neighbors);
    patch.neighbors.erase(std::unique(patch.neighbors.begin(), patch.neighbors.end()), patch.neighbors.end());
    if (touchesRelated(patch, skeleton)) settled.emplace(patch.island, patch.joint);
  }
  for (Patch& patch : found.patches)
    patch.stray =
        !patch.neighbors.empty() && !touchesRelated(patch, skeleton) && settled.contains({patch.island, patch.joint});
  return found;
}

} // namespace skincells::guess
