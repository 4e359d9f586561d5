#include "guess/proximity.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "rig/segment_tree.h"

namespace skincells::guess {
namespace {

// (d0 / d)^power relative to the nearest distance d0: between 0 and 1 whatever the unit.
double relativeWeight(double squared, double nearest_squared, double power) {
  if (squared == nearest_squared) return 1; // also 0 / 0: on the bone
  if (nearest_squared == 0) return 0;
  return std::pow(nearest_squared / squared, power / 2);
}

void writeRow(const std::vector<rig::JointDistance>& nearest, double power, std::span<std::uint16_t> joints,
              std::span<float> weights) {
  double sum = 0;
  for (const rig::JointDistance& d : nearest) sum += relativeWeight(d.squared, nearest[0].squared, power);
  for (std::size_t k = 0; k < nearest.size(); ++k) {
    const auto w = static_cast<float>(relativeWeight(nearest[k].squared, nearest[0].squared, power) / sum);
    if (!(w > 0)) break; // weights fall from slot to slot; unused slots stay joint 0
    joints[k] = static_cast<std::uint16_t>(nearest[k].joint);
    weights[k] = w;
  }
}

} // namespace

SparseWeights proximityWeights(std::span<const Vec3f> positions, std::vector<rig::BoneSegment> bones,
                               const ProximityOptions& options) {
  SKINCELLS_ASSERT(!bones.empty() && options.max_influences > 0);
  constexpr std::size_t kChunk = 512;
  const rig::SegmentTree tree(std::move(bones));
  SparseWeights weights(positions.size(), options.max_influences);
  parallelChunks(positions.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<rig::JointDistance> nearest;
    for (std::size_t v = begin; v < end; ++v) {
      tree.nearestJoints(toDouble(positions[v]), options.max_influences, nearest);
      writeRow(nearest, options.power, weights.jointRow(v), weights.weightRow(v));
    }
  });
  return weights;
}

} // namespace skincells::guess
