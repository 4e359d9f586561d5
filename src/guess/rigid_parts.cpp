#include "guess/rigid_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/parallel.h"
#include "guess/tuning.h"
#include "weights/interpolate.h"
#include "weights/rows_edit.h"

namespace skincells::guess {
namespace {

using Row = std::map<int, double>; // joint -> weight

bool contains(const Box& box, const Vec3d& p) {
  return p.x >= box.lo.x && p.x <= box.hi.x && p.y >= box.lo.y && p.y <= box.hi.y && p.z >= box.lo.z && p.z <= box.hi.z;
}

// The leaf inside a part that all vertices of the part are nearest to, or -1. Its parent's bone ends at it and may be
// nearer, but starts outside.
int leafOfAll(const GuessScene& scene, const Box& box, std::span<const std::uint32_t> vertices,
              std::span<const rig::BoneSegment> bones, const Skeleton& placed, const std::vector<bool>& is_leaf) {
  const auto distance = [&](std::uint32_t v, const rig::BoneSegment& b) {
    return rig::closestOnSegment(toDouble(scene.mesh.positions[v]), b.a, b.b).squared_distance;
  };
  for (const rig::BoneSegment& leaf : bones) {
    const int parent = placed.joints[static_cast<std::size_t>(leaf.joint)].parent;
    if (!is_leaf[static_cast<std::size_t>(leaf.joint)] || !contains(box, leaf.a)) continue;
    if (parent == kNoParent || contains(box, placed.bindPosition(parent))) continue;
    const bool nearest_to_all = std::ranges::all_of(vertices, [&](std::uint32_t v) {
      const double own = distance(v, leaf);
      return std::ranges::all_of(bones,
                                 [&](const rig::BoneSegment& b) { return b.joint == parent || own <= distance(v, b); });
    });
    if (nearest_to_all) return leaf.joint;
  }
  return -1;
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
    accessory[p] = scene.parts[p].box.diagonal() < kTuning.largest_accessory * mesh_diagonal &&
                   std::ranges::none_of(bones, [&](const auto& b) { return passesThrough(b, scene.parts[p].box); });
  const auto& islands = scene.islands.island_of_vertex;
  std::vector<char> near(islands.size()); // not bool: written in parallel
  parallelChunks(islands.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      if (!accessory[islands[v]]) continue;
      const double limit = kTuning.bone_inside * scene.parts[islands[v]].box.diagonal();
      near[v] = std::ranges::any_of(bones, [&](const rig::BoneSegment& b) {
        return rig::closestOnSegment(toDouble(scene.mesh.positions[v]), b.a, b.b).squared_distance <= limit * limit;
      });
    }
  });
  for (std::size_t v = 0; v < near.size(); ++v)
    if (near[v]) accessory[islands[v]] = false;
  return accessory;
}

void addRow(const SparseWeights& weights, std::size_t v, Row& row) {
  for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k)
    if (weights.weightRow(v)[k] > 0) row[weights.jointRow(v)[k]] += static_cast<double>(weights.weightRow(v)[k]);
}

// One row for each accessory; empty for other parts, and for all parts if there is no host.
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
    std::uint32_t last = mesh::RayQuery::kNoTriangle;
    for (std::size_t v = begin; v < end; ++v)
      if (accessory[islands[v]]) {
        contacts[v] = *query.closestPoint(toDouble(scene.mesh.positions[v]), last);
        last = contacts[v].triangle;
      }
  });
  std::vector<std::uint16_t> joints(3 * static_cast<std::size_t>(weights.slots));
  std::vector<float> values(joints.size());
  std::vector<double> nearest(accessory.size(), INFINITY);
  for (std::size_t v = 0; v < islands.size(); ++v)
    nearest[islands[v]] = std::min(nearest[islands[v]], contacts[v].distance);
  for (std::size_t v = 0; v < islands.size(); ++v) {
    const std::size_t p = islands[v];
    if (!accessory[p] || contacts[v].distance > nearest[p] + kTuning.contact * scene.parts[p].box.diagonal()) continue;
    skincells::weights::cornerRows(hosts, weights, contacts[v], joints, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (values[k] > 0) rows[p][joints[k]] += static_cast<double>(values[k]);
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
  canonicalize(all, slots);
  return all;
}

SparseWeights meanRow(std::span<const std::uint32_t> vertices, const SparseWeights& weights) {
  Row row;
  for (std::uint32_t v : vertices) addRow(weights, v, row);
  return packed(row, weights.slots);
}

} // namespace

std::vector<RigidPart> bindRigidParts(const GuessScene& scene, const Skeleton& placed,
                                      std::span<const rig::BoneSegment> bones, const SparseWeights& heat,
                                      const std::vector<bool>& bends, SparseWeights& weights) {
  const auto children = childrenOf(placed);
  std::vector<bool> is_leaf;
  for (const auto& below : children) is_leaf.push_back(below.empty());
  std::vector<std::vector<std::uint32_t>> members(scene.parts.size());
  for (std::uint32_t v = 0; v < weights.vertexCount(); ++v) members[scene.islands.island_of_vertex[v]].push_back(v);
  const auto largest = std::ranges::max_element(members, {}, [](const auto& m) { return m.size(); }) - members.begin();
  const std::vector<Row> hosts = hostRows(scene, findAccessories(scene, bones), weights);

  std::vector<RigidPart> made;
  for (std::size_t p = 0; p < members.size(); ++p) {
    if (static_cast<std::ptrdiff_t>(p) == largest) continue;
    if (!bends.empty() && std::ranges::any_of(members[p], [&](std::uint32_t v) { return bends[v]; })) continue;
    SparseWeights row;
    RigidReason reason = RigidReason::Accessory;
    if (!hosts[p].empty()) {
      row = packed(hosts[p], weights.slots);
    } else {
      row = meanRow(members[p], weights);
      int owner = leafOfAll(scene, scene.parts[p].box, members[p], bones, placed, is_leaf);
      reason = owner < 0 ? RigidReason::OneJoint : RigidReason::LeafInside;
      for (const SparseWeights& mean : {row, meanRow(members[p], heat)})
        if (owner < 0 && static_cast<double>(mean.weights[0]) >= kTuning.owned_share) owner = mean.joints[0];
      if (owner < 0) continue;
      row = packed({{owner, 1.0}}, weights.slots);
    }
    skincells::weights::setRows(row, members[p], weights);
    made.push_back({reason, row.joints[0], std::move(members[p])});
  }
  return made;
}

void levelRigidParts(std::span<const RigidPart> parts, SparseWeights& weights) {
  for (const RigidPart& p : parts) skincells::weights::setRows(meanRow(p.vertices, weights), p.vertices, weights);
}

void RigidRow::bind(SparseWeights& weights) const {
  skincells::weights::setRows(row, part.vertices, weights);
}

std::vector<RigidRow> rigidRows(std::span<const RigidPart> parts, const SparseWeights& weights) {
  std::vector<RigidRow> rows;
  for (const RigidPart& part : parts) rows.push_back({part, meanRow({part.vertices.data(), 1}, weights)});
  return rows;
}

} // namespace skincells::guess
