#include "bind/rigid_parts.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace skincells::binding {
namespace {

// Measured on characters of many parts: a part up to a quarter of the character is rigid when the field varies little
// over it, a tiny one always, a large one only when the field hardly varies at all.
constexpr double kSmall = 0.25, kTiny = 0.10;
constexpr double kSomeVariation = 0.36, kHardlyAny = 0.20;
constexpr double kEyeballSize = 0.15, kEyeballReach = 0.2, kEyeballAspect = 1.6;

struct Part {
  std::vector<std::uint32_t> vertices;
  Box box;
};

std::vector<Part> collectParts(const Mesh& welded) {
  const Islands islands = findIslands(welded);
  std::vector<Part> parts(islands.count);
  for (std::uint32_t v = 0; v < welded.vertexCount(); ++v) {
    Part& part = parts[islands.island_of_vertex[v]];
    part.vertices.push_back(v);
    part.box.add(toDouble(welded.positions[v]));
  }
  return parts;
}

// Mean row of a part, cut to the slots of `weights`.
SparseWeights meanRow(const Part& part, const SparseWeights& weights) {
  std::map<std::uint16_t, double> sums;
  for (std::uint32_t v : part.vertices)
    for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k)
      if (weights.weightRow(v)[k] > 0) sums[weights.jointRow(v)[k]] += weights.weightRow(v)[k];
  SparseWeights row(1, static_cast<int>(sums.size()));
  std::size_t slot = 0;
  for (const auto& [joint, sum] : sums) {
    row.joints[slot] = joint;
    row.weights[slot++] = static_cast<float>(sum / static_cast<double>(part.vertices.size()));
  }
  canonicalise(row, weights.slots);
  return row;
}

// Mean over the part of half the L1 distance to its mean row, 0 .. 1.
double variation(const Part& part, const SparseWeights& weights, const SparseWeights& mean) {
  double total = 0;
  for (std::uint32_t v : part.vertices) {
    double shared = 0; // 1 - half L1 = what the two rows have in common
    for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k)
      for (std::size_t i = 0; i < mean.weights.size(); ++i)
        if (weights.weightRow(v)[k] > 0 && mean.joints[i] == weights.jointRow(v)[k])
          shared += std::min(weights.weightRow(v)[k], mean.weights[i]);
    total += 1 - shared;
  }
  return total / static_cast<double>(part.vertices.size());
}

bool contains(const Box& box, const Vec3d& p) {
  return p.x > box.lo.x && p.y > box.lo.y && p.z > box.lo.z && p.x < box.hi.x && p.y < box.hi.y && p.z < box.hi.z;
}

// The leaf joint in the middle of a ball, or -1.
int eyeJoint(const Part& part, const Skeleton& skeleton, std::span<const int> deforming,
             const std::vector<bool>& is_leaf, double diagonal) {
  const Vec3d size = part.box.size();
  const double longest = std::max({size.x, size.y, size.z}), shortest = std::min({size.x, size.y, size.z});
  if (part.box.diagonal() > kEyeballSize * diagonal || shortest <= 0 || longest > kEyeballAspect * shortest) return -1;
  for (int j : deforming)
    if (is_leaf[static_cast<std::size_t>(j)] &&
        length(skeleton.bindPosition(j) - part.box.center()) < kEyeballReach * part.box.diagonal())
      return j;
  return -1;
}

} // namespace

std::vector<RigidPart> makePartsRigid(const Mesh& welded, const Skeleton& skeleton, std::span<const int> deforming,
                                      SparseWeights& weights) {
  std::vector<RigidPart> made;
  const std::vector<Part> parts = collectParts(welded);
  const auto largest = std::ranges::max_element(parts, {}, [](const Part& p) { return p.vertices.size(); });
  const double diagonal = welded.bounds().diagonal();
  std::vector<bool> is_leaf(skeleton.joints.size(), true);
  for (const Joint& j : skeleton.joints)
    if (j.parent != kNoParent) is_leaf[static_cast<std::size_t>(j.parent)] = false;
  for (const Part& part : parts) {
    if (&part == &*largest || part.vertices.size() < 2) continue;
    SparseWeights row = meanRow(part, weights);
    const int eye = eyeJoint(part, skeleton, deforming, is_leaf, diagonal);
    const double size = part.box.diagonal() / diagonal;
    const auto inside =
        std::ranges::count_if(deforming, [&](int j) { return contains(part.box, skeleton.bindPosition(j)); });
    const double varies = variation(part, weights, row);
    const bool rigid = (size < kSmall && inside == 0 && varies < kSomeVariation) || (size < kTiny && inside <= 2) ||
                       varies < kHardlyAny;
    if (eye < 0 && !rigid) continue;
    if (eye >= 0) {
      row = SparseWeights(1, weights.slots);
      row.joints[0] = static_cast<std::uint16_t>(eye);
      row.weights[0] = 1;
    }
    for (std::uint32_t v : part.vertices) {
      std::ranges::copy(row.joints, weights.jointRow(v).begin());
      std::ranges::copy(row.weights, weights.weightRow(v).begin());
    }
    made.push_back({part.vertices[0], static_cast<std::uint32_t>(part.vertices.size()), row.joints[0], eye >= 0});
  }
  return made;
}

} // namespace skincells::binding
