#include "bind/accessories.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/parallel.h"
#include "mesh/point_tree.h"
#include "mesh/ray_query.h"

namespace skincells::binding {
namespace {

const double kLargest = getenv("ACCS") ? atof(getenv("ACCS")) : 0.25; // of the diagonal of the mesh
const double kBoneNear = getenv("ACCN")
                             ? atof(getenv("ACCN"))
                             : 0.15; // of the part's own diagonal: a bone this near to its surface runs through it
const double kContact =
    getenv("ACCC") ? atof(getenv("ACCC"))
                   : 0.1; // of the part's own diagonal: vertices this much farther than the nearest still touch

// Does a bone come near to the vertices of a part?
std::vector<bool> touchedByBones(const Mesh& mesh, const Islands& islands, std::span<const mesh::Part> parts,
                                 std::span<const rig::BoneSegment> bones) {
  std::vector<char> near(mesh.positions.size());
  parallelChunks(mesh.positions.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      const double limit = kBoneNear * parts[islands.island_of_vertex[v]].box.diagonal();
      near[v] = std::ranges::any_of(bones, [&](const rig::BoneSegment& b) {
        return rig::closestOnSegment(toDouble(mesh.positions[v]), b.a, b.b).squared_distance <= limit * limit;
      });
    }
  });
  std::vector<bool> touched(parts.size());
  for (std::size_t v = 0; v < near.size(); ++v)
    if (near[v]) touched[islands.island_of_vertex[v]] = true;
  return touched;
}

// Is a point of a bone inside the part's box?
bool holdsBone(const mesh::Part& part, std::span<const rig::BoneSegment> bones) {
  constexpr int kSteps = 8;
  return std::ranges::any_of(bones, [&](const rig::BoneSegment& b) {
    for (int i = 0; i <= kSteps; ++i) {
      const Vec3d p = b.a + (b.b - b.a) * (double(i) / kSteps);
      if (p.x >= part.box.lo.x && p.x <= part.box.hi.x && p.y >= part.box.lo.y && p.y <= part.box.hi.y &&
          p.z >= part.box.lo.z && p.z <= part.box.hi.z)
        return true;
    }
    return false;
  });
}

// The leaf that stands in the middle of a small, roundish part (an eyeball): its joint, or -1.
int jointInTheMiddle(const mesh::Part& part, double diagonal, std::span<const rig::BoneSegment> leaves) {
  constexpr double kLargestBall = 0.15; // of the diagonal of the mesh
  constexpr double kRoundest = 2.0;     // longest side of the box against the shortest
  static const double kMiddle = getenv("MID") ? atof(getenv("MID")) : 0.2; // of the part's own diagonal
  const Vec3d size = part.box.size();
  const double own = part.box.diagonal();
  if (own >= kLargestBall * diagonal ||
      std::max({size.x, size.y, size.z}) > kRoundest * std::min({size.x, size.y, size.z}))
    return -1;
  int joint = -1;
  double nearest = kMiddle * own;
  for (const rig::BoneSegment& leaf : leaves) {
    const double distance = length(leaf.a - part.box.center());
    if (distance < nearest) nearest = distance, joint = leaf.joint;
  }
  return joint;
}

struct Contact {
  double distance = INFINITY;
  std::uint32_t host_vertices[3] = {};
};

} // namespace

void followHosts(const Mesh& welded, const Islands& islands, std::span<const mesh::Part> parts,
                 std::span<const rig::BoneSegment> bones, std::span<const rig::BoneSegment> leaves,
                 SparseWeights& weights) {
  {
    std::vector<int> joints(parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p)
      joints[p] = jointInTheMiddle(parts[p], welded.bounds().diagonal(), leaves);
    for (std::size_t v = 0; v < welded.positions.size(); ++v) {
      const int j = joints[islands.island_of_vertex[v]];
      if (j < 0) continue;
      std::ranges::fill(weights.jointRow(v), std::uint16_t{0});
      std::ranges::fill(weights.weightRow(v), 0.0F);
      weights.jointRow(v)[0] = static_cast<std::uint16_t>(j);
      weights.weightRow(v)[0] = 1;
    }
  }
  const double diagonal = welded.bounds().diagonal();
  const std::vector<bool> touched = touchedByBones(welded, islands, parts, bones);
  std::vector<bool> accessory(parts.size());
  bool any = false, host = false;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    accessory[p] = parts[p].box.diagonal() < kLargest * diagonal && !touched[p] && !holdsBone(parts[p], bones);
    (accessory[p] ? any : host) = true;
  }
  if (!any || !host) return;
  Mesh hosts;
  hosts.positions = welded.positions;
  for (const Triangle& t : welded.triangles)
    if (!accessory[islands.island_of_vertex[t[0]]]) hosts.triangles.push_back(t);
  if (hosts.triangles.empty()) return;
  const mesh::RayQuery query(hosts);
  std::vector<Contact> contacts(welded.positions.size());
  parallelChunks(contacts.size(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      if (!accessory[islands.island_of_vertex[v]]) continue;
      const auto hit = query.closestPoint(toDouble(welded.positions[v]));
      contacts[v].distance = hit->distance;
      std::ranges::copy(hosts.triangles[hit->triangle], contacts[v].host_vertices);
    }
  });
  std::vector<double> nearest(parts.size(), INFINITY);
  for (std::size_t v = 0; v < contacts.size(); ++v)
    nearest[islands.island_of_vertex[v]] = std::min(nearest[islands.island_of_vertex[v]], contacts[v].distance);
  std::vector<std::map<int, double>> rows(parts.size());
  for (std::size_t v = 0; v < contacts.size(); ++v) {
    const std::size_t p = islands.island_of_vertex[v];
    if (!accessory[p] || contacts[v].distance > nearest[p] + kContact * parts[p].box.diagonal()) continue;
    for (std::uint32_t h : contacts[v].host_vertices)
      for (std::size_t k = 0; k < weights.weightRow(h).size(); ++k)
        rows[p][weights.jointRow(h)[k]] += static_cast<double>(weights.weightRow(h)[k]);
  }
  const auto slots = static_cast<std::size_t>(weights.slots);
  for (std::size_t v = 0; v < contacts.size(); ++v) {
    const std::size_t p = islands.island_of_vertex[v];
    if (!accessory[p]) continue;
    std::vector<std::pair<double, int>> largest;
    for (const auto& [joint, weight] : rows[p]) largest.emplace_back(-weight, joint);
    std::ranges::sort(largest);
    largest.resize(std::min(largest.size(), slots));
    double sum = 0;
    for (const auto& l : largest) sum -= l.first;
    if (!(sum > 0)) continue;
    for (std::size_t k = 0; k < slots; ++k) {
      weights.jointRow(v)[k] = k < largest.size() ? static_cast<std::uint16_t>(largest[k].second) : 0;
      weights.weightRow(v)[k] = k < largest.size() ? static_cast<float>(-largest[k].first / sum) : 0;
    }
  }
}

} // namespace skincells::binding
