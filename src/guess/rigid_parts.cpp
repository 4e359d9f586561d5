#include "guess/rigid_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/parallel.h"
#include "guess/tuning.h"
#include "weights/rows_edit.h"

namespace skincells::guess {
namespace {

using Row = std::map<int, double>; // joint -> weight

// The leaf joint at the center of a ball, or -1.
int leafAtCenter(const mesh::Part& part, double mesh_diagonal, std::span<const rig::BoneSegment> leaves) {
  const Vec3d size = part.box.size();
  const double diagonal = part.box.diagonal();
  const auto [shortest, longest] = std::minmax({size.x, size.y, size.z});
  if (diagonal >= kTuning.largest_ball * mesh_diagonal || longest > kTuning.ball_aspect * shortest) return -1;
  int joint = -1;
  double nearest = kTuning.ball_center * diagonal;
  for (const rig::BoneSegment& leaf : leaves) {
    const double distance = length(leaf.a - part.box.center());
    if (distance >= nearest) continue;
    nearest = distance;
    joint = leaf.joint;
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
    for (std::size_t v = begin; v < end; ++v)
      if (accessory[islands[v]]) contacts[v] = *query.closestPoint(toDouble(scene.mesh.positions[v]));
  });
  std::vector<double> nearest(accessory.size(), INFINITY);
  for (std::size_t v = 0; v < islands.size(); ++v)
    nearest[islands[v]] = std::min(nearest[islands[v]], contacts[v].distance);
  for (std::size_t v = 0; v < islands.size(); ++v) {
    const std::size_t p = islands[v];
    if (!accessory[p] || contacts[v].distance > nearest[p] + kTuning.contact * scene.parts[p].box.diagonal()) continue;
    for (std::uint32_t h : hosts.triangles[contacts[v].triangle]) addRow(weights, h, rows[p]);
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

// Mean over vertices of half the L1 distance of their rows to one row, 0 .. 1.
double variationOf(std::span<const std::uint32_t> vertices, const SparseWeights& weights, const SparseWeights& mean) {
  double total = 0;
  for (std::uint32_t v : vertices) {
    double shared = 0; // 1 - half L1
    for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k)
      for (std::size_t i = 0; i < mean.weights.size(); ++i)
        if (weights.weightRow(v)[k] > 0 && mean.joints[i] == weights.jointRow(v)[k])
          shared += static_cast<double>(std::min(weights.weightRow(v)[k], mean.weights[i]));
    total += 1 - shared;
  }
  return total / static_cast<double>(vertices.size());
}

bool isStiff(const Box& box, double mesh_diagonal, double variation, std::span<const rig::BoneSegment> bones) {
  if (variation < kTuning.little_variation) return true;
  const double size = box.diagonal() / mesh_diagonal;
  if (size >= kTuning.small_part) return false;
  std::vector<int> inside;
  for (const rig::BoneSegment& b : bones)
    if (contains(box, b.a) && (inside.empty() || inside.back() != b.joint)) inside.push_back(b.joint);
  return (inside.empty() && variation < kTuning.small_variation) ||
         (size < kTuning.tiny_part && static_cast<int>(inside.size()) <= kTuning.most_joints_in_tiny);
}

} // namespace

std::vector<RigidPart> bindRigidParts(const GuessScene& scene, const Skeleton& placed,
                                      std::span<const rig::BoneSegment> bones, SparseWeights& weights) {
  const auto children = childrenOf(placed);
  std::vector<rig::BoneSegment> leaves;
  std::ranges::copy_if(bones, std::back_inserter(leaves),
                       [&](const rig::BoneSegment& b) { return children[static_cast<std::size_t>(b.joint)].empty(); });
  std::vector<std::vector<std::uint32_t>> members(scene.parts.size());
  for (std::uint32_t v = 0; v < weights.vertexCount(); ++v) members[scene.islands.island_of_vertex[v]].push_back(v);
  const auto largest = std::ranges::max_element(members, {}, [](const auto& m) { return m.size(); }) - members.begin();
  const double diagonal = scene.mesh.bounds().diagonal();
  const std::vector<Row> hosts = hostRows(scene, findAccessories(scene, bones), weights);

  std::vector<RigidPart> made;
  for (std::size_t p = 0; p < members.size(); ++p) {
    RigidPart part;
    SparseWeights row;
    const int leaf = leafAtCenter(scene.parts[p], diagonal, leaves);
    if (leaf >= 0) {
      part.kind = RigidKind::Ball;
      row = packed({{leaf, 1.0}}, weights.slots);
    } else if (!hosts[p].empty()) {
      part.kind = RigidKind::Accessory;
      row = packed(hosts[p], weights.slots);
    } else if (static_cast<std::ptrdiff_t>(p) != largest && members[p].size() > 1) {
      row = meanRow(members[p], weights);
      if (!isStiff(scene.parts[p].box, diagonal, variationOf(members[p], weights, row), bones)) continue;
    } else {
      continue;
    }
    part.joint = row.joints[0];
    part.vertices = std::move(members[p]);
    skincells::weights::setRows(row, part.vertices, weights);
    made.push_back(std::move(part));
  }
  return made;
}

void levelRigidParts(std::span<const RigidPart> parts, SparseWeights& weights) {
  for (const RigidPart& p : parts) skincells::weights::setRows(meanRow(p.vertices, weights), p.vertices, weights);
}

void RigidRow::bind(SparseWeights& weights) const {
  if (part.kind == RigidKind::Stiff)
    levelRigidParts({&part, 1}, weights);
  else
    skincells::weights::setRows(row, part.vertices, weights);
}

std::vector<RigidRow> rigidRows(std::span<const RigidPart> parts, const SparseWeights& weights) {
  std::vector<RigidRow> rows;
  for (const RigidPart& part : parts) rows.push_back({part, meanRow({part.vertices.data(), 1}, weights)});
  return rows;
}

} // namespace skincells::guess
