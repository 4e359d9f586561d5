#include "bind/subjects.h"

#include <algorithm>
#include <set>

namespace skincells::binding {

Character partOf(const Character& character, const std::function<bool(std::uint32_t)>& accept,
                 std::vector<std::uint32_t>& vertex_of) {
  constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  Character out{character.name, {}, character.skeleton, {}, character.clip_poses};
  const Mesh& mesh = character.mesh;
  std::vector<std::uint32_t> new_index(mesh.positions.size(), kNone);
  vertex_of.clear();
  for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v) {
    if (!accept(v)) continue;
    new_index[v] = static_cast<std::uint32_t>(vertex_of.size());
    vertex_of.push_back(v);
    out.mesh.positions.push_back(mesh.positions[v]);
  }
  if (!character.weights.empty()) out.weights = gatherRows(character.weights, vertex_of);

  std::vector<std::uint32_t> kept_before(1); // by triangle: how many are kept before it
  for (const Triangle& t : mesh.triangles) {
    const Triangle n{new_index[t[0]], new_index[t[1]], new_index[t[2]]};
    if (std::ranges::find(n, kNone) == n.end()) out.mesh.triangles.push_back(n);
    kept_before.push_back(static_cast<std::uint32_t>(out.mesh.triangles.size()));
  }
  const auto keptVertices = [&](std::uint32_t end) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(vertex_of, end) - vertex_of.begin());
  };
  // A caller that dropped the triangles may have left the sections as they were.
  const auto keptTriangles = [&](std::size_t end) { return kept_before[std::min(end, mesh.triangles.size())]; };
  for (MeshSection s : mesh.sections) {
    const std::uint32_t end = s.first_vertex + s.vertex_count, triangle_end = s.first_triangle + s.triangle_count;
    s.first_vertex = keptVertices(s.first_vertex);
    s.vertex_count = keptVertices(end) - s.first_vertex;
    s.first_triangle = keptTriangles(s.first_triangle);
    s.triangle_count = keptTriangles(triangle_end) - s.first_triangle;
    if (s.vertex_count > 0) out.mesh.sections.push_back(std::move(s));
  }
  return out;
}

std::vector<int> skeletonsOf(const Mesh& mesh) {
  std::set<int> found;
  for (const MeshSection& s : mesh.sections)
    if (s.vertex_count > 0) found.insert(s.skeleton);
  if (found.size() < 2) return {kAllSkeletons};
  return {found.begin(), found.end()};
}

std::vector<bool> verticesOf(const Mesh& mesh, int skeleton) {
  std::vector<bool> mine(mesh.positions.size(), false);
  for (const MeshSection& s : mesh.sections)
    if (s.skeleton == skeleton) std::fill_n(mine.begin() + s.first_vertex, s.vertex_count, true);
  return mine;
}

} // namespace skincells::binding
