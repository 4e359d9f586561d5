#include "bind/stray_patches.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

namespace skincells::binding {

bool areKin(const Skeleton& skeleton, int a, int b) {
  const int parent_a = skeleton.joints[static_cast<std::size_t>(a)].parent,
            parent_b = skeleton.joints[static_cast<std::size_t>(b)].parent;
  return a == b || parent_a == b || parent_b == a || (parent_a == parent_b && parent_a != kNoParent);
}

namespace {

std::uint32_t findRoot(std::vector<std::uint32_t>& parent, std::uint32_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

} // namespace

Patches findPatches(std::span<const mesh::EdgeWeight> edges, std::span<const int> sources,
                    std::span<const mesh::VertexMeasure> vertices, std::span<const std::uint32_t> island_of_vertex,
                    const Skeleton& skeleton) {
  std::vector<std::uint32_t> root(sources.size());
  std::iota(root.begin(), root.end(), 0U);
  for (const mesh::EdgeWeight& e : edges) {
    if (sources[e.a] != sources[e.b]) continue;
    const std::uint32_t a = findRoot(root, e.a), b = findRoot(root, e.b);
    root[std::max(a, b)] = std::min(a, b);
  }
  Patches found;
  found.patch_of_vertex.resize(sources.size());
  std::vector<std::uint32_t> island;
  for (std::uint32_t v = 0; v < sources.size(); ++v) {
    const std::uint32_t first = findRoot(root, v);
    if (first == v) {
      found.patch_of_vertex[v] = static_cast<std::uint32_t>(found.patches.size());
      found.patches.push_back({sources[v], 0, false, {}});
      island.push_back(island_of_vertex[v]);
    }
    found.patch_of_vertex[v] = found.patch_of_vertex[first];
    found.patches[found.patch_of_vertex[v]].area += vertices[v].area;
  }
  for (const mesh::EdgeWeight& e : edges) {
    if (sources[e.a] == sources[e.b]) continue;
    found.patches[found.patch_of_vertex[e.a]].neighbours.push_back(sources[e.b]);
    found.patches[found.patch_of_vertex[e.b]].neighbours.push_back(sources[e.a]);
  }
  std::map<std::pair<std::uint32_t, int>, double> largest;
  for (std::size_t p = 0; p < found.patches.size(); ++p) {
    double& area = largest[{island[p], found.patches[p].joint}];
    const bool good = std::ranges::any_of(found.patches[p].neighbours, [&](int n) {
      return n != found.patches[p].joint && areKin(skeleton, found.patches[p].joint, n);
    });
    area = std::max(area, good ? 1e9 : 0);
  }
  for (std::size_t p = 0; p < found.patches.size(); ++p) {
    Patch& patch = found.patches[p];
    std::ranges::sort(patch.neighbours);
    patch.neighbours.erase(std::unique(patch.neighbours.begin(), patch.neighbours.end()), patch.neighbours.end());
    patch.stray = patch.area < largest[{island[p], patch.joint}] && !patch.neighbours.empty() &&
                  std::ranges::none_of(patch.neighbours, [&](int n) { return areKin(skeleton, patch.joint, n); });
  }
  return found;
}

} // namespace skincells::binding
