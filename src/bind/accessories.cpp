#include "bind/accessories.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "base/parallel.h"

namespace skincells::binding {
namespace {

using Row = std::map<int, double>; // joint -> weight

constexpr double kLargestAccessory = 0.25; // of the diagonal of the mesh
constexpr double kBoneNear = 0.15;         // of the part's own diagonal: a bone as near runs through it
constexpr double kContact = 0.1;           // of the part's own diagonal: as much farther than the nearest still touches
constexpr double kLargestBall = 0.15;      // of the diagonal of the mesh
constexpr double kRoundest = 2;            // longest side of a ball's box against the shortest
constexpr double kMiddle = 0.2;            // of a ball's own diagonal

// The leaf that stands in the middle of a ball, or -1.
int leafInTheMiddle(const mesh::Part& part, double mesh_diagonal, std::span<const rig::BoneSegment> leaves) {
  const Vec3d size = part.box.size();
  const double diagonal = part.box.diagonal();
  const auto [shortest, longest] = std::minmax({size.x, size.y, size.z});
  if (diagonal >= kLargestBall * mesh_diagonal || longest > kRoundest * shortest) return -1;
  int joint = -1;
  double nearest = kMiddle * diagonal;
  for (const rig::BoneSegment& leaf : leaves) {
    const double distance = length(leaf.a - part.box.center());
    if (distance < nearest) nearest = distance, joint = leaf.joint;
  }
  return joint;
}

bool contains(const Box& box, const Vec3d& p) {
  return p.x >= box.lo.x && p.x <= box.hi.x && p.y >= box.lo.y && p.y <= box.hi.y && p.z >= box.lo.z && p.z <= box.hi.z;
}

bool passesThrough(const rig::BoneSegment& bone, const Box& box) {
  constexpr int kSteps = 8;
  for (int i = 0; i <= kSteps; ++i)
    if (contains(box, bone.a + (bone.b - bone.a) * (double(i) / kSteps))) return true;
  return false;
}

std::vector<bool> findAccessories(const GuessScene& scene, std::span<const rig::BoneSegment> bones) {
  const double mesh_diagonal = scene.mesh.bounds().diagonal();
  std::vector<bool> accessory(scene.parts.size());
  for (std::size_t p = 0; p < accessory.size(); ++p)
    accessory[p] = scene.parts[p].box.diagonal() < kLargestAccessory * mesh_diagonal &&
                   std::ranges::none_of(bones, [&](const auto& b) { return passesThrough(b, scene.parts[p].box); });
  const auto& islands = scene.islands.island_of_vertex;
  std::vector<char> near(islands.size()); // not bool: written by many threads
  parallelChunks(islands.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      if (!accessory[islands[v]]) continue;
      const double limit = kBoneNear * scene.parts[islands[v]].box.diagonal();
      near[v] = std::ranges::any_of(bones, [&](const rig::BoneSegment& b) {
        return rig::closestOnSegment(toDouble(scene.mesh.positions[v]), b.a, b.b).squared_distance <= limit * limit;
      });
    }
  });
  for (std::size_t v = 0; v < near.size(); ++v)
    if (near[v]) accessory[islands[v]] = false;
  return accessory;
}

// One row for each accessory; empty for other parts, and for all where there is no host.
std::vector<Row> hostRows(const GuessScene& scene, const std::vector<bool>& accessory, const SparseWeights& weights) {
  const auto& islands = scene.islands.island_of_vertex;
  std::vector<Row> rows(accessory.size());
  Mesh hosts;
  hosts.positions = scene.mesh.positions;
  for (const Triangle& t : scene.mesh.triangles)
    if (!accessory[islands[t[0]]]) hosts.triangles.push_back(t);
  if (hosts.triangles.empty() || hosts.triangles.size() == scene.mesh.triangles.size()) return rows;

  const mesh::RayQuery query(hosts);
  std::vector<mesh::RayQuery::Hit> contacts(islands.size());
  parallelChunks(islands.size(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v)
      if (accessory[islands[v]]) contacts[v] = *query.closestPoint(toDouble(scene.mesh.positions[v]));
  });
  std::vector<double> nearest(accessory.size(), INFINITY);
  for (std::size_t v = 0; v < islands.size(); ++v)
    nearest[islands[v]] = std::min(nearest[islands[v]], contacts[v].distance);
  for (std::size_t v = 0; v < islands.size(); ++v) {
    const std::size_t p = islands[v];
    if (!accessory[p] || contacts[v].distance > nearest[p] + kContact * scene.parts[p].box.diagonal()) continue;
    for (std::uint32_t h : hosts.triangles[contacts[v].triangle])
      for (std::size_t k = 0; k < weights.weightRow(h).size(); ++k)
        rows[p][weights.jointRow(h)[k]] += static_cast<double>(weights.weightRow(h)[k]);
  }
  return rows;
}

// A row with its largest weights, scaled to sum to 1.
SparseWeights packed(const Row& row, int slots) {
  SparseWeights all(1, std::max(slots, static_cast<int>(row.size())));
  std::size_t k = 0;
  for (const auto& [joint, weight] : row) {
    all.joints[k] = static_cast<std::uint16_t>(joint);
    all.weights[k++] = static_cast<float>(weight);
  }
  canonicalise(all, slots);
  return all;
}

} // namespace

void bindRigidParts(const GuessScene& scene, const Skeleton& placed, std::span<const rig::BoneSegment> bones,
                    SparseWeights& weights) {
  const auto children = childrenOf(placed);
  std::vector<rig::BoneSegment> leaves;
  std::ranges::copy_if(bones, std::back_inserter(leaves),
                       [&](const rig::BoneSegment& b) { return children[static_cast<std::size_t>(b.joint)].empty(); });
  const double mesh_diagonal = scene.mesh.bounds().diagonal();
  std::vector<Row> rows = hostRows(scene, findAccessories(scene, bones), weights);
  std::vector<SparseWeights> packed_rows(rows.size());
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const int leaf = leafInTheMiddle(scene.parts[p], mesh_diagonal, leaves);
    if (leaf >= 0) rows[p] = {{leaf, 1.0}};
    if (!rows[p].empty()) packed_rows[p] = packed(rows[p], weights.slots);
  }
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    const SparseWeights& row = packed_rows[scene.islands.island_of_vertex[v]];
    if (row.empty()) continue;
    std::ranges::copy(row.jointRow(0), weights.jointRow(v).begin());
    std::ranges::copy(row.weightRow(0), weights.weightRow(v).begin());
  }
}

} // namespace skincells::binding
