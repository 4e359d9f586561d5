#include "guess/prior/confidence.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace skincells::guess {
namespace {

constexpr double kTurn = 0.35;      // radians: root mean square of the random turns of a joint
constexpr double kHalfSure = 0.01;  // of the diagonal: spread at a confidence of 0.5
constexpr std::size_t kChunk = 256; // vertices

std::vector<int> depthsOf(const Skeleton& skeleton) {
  std::vector<int> depths(skeleton.joints.size());
  for (int j : parentFirstOrder(skeleton))
    if (const int parent = skeleton.joints[j].parent; parent != kNoParent) depths[j] = depths[parent] + 1;
  return depths;
}

// The mean square of how far two joints carry a point apart: each turn on the path between them adds its lever.
double squaredParting(const Skeleton& skeleton, const std::vector<int>& depths, const Vec3d& point, int a, int b) {
  double sum = 0;
  while (a != b) {
    int& deeper = depths[a] >= depths[b] ? a : b;
    const Vec3d lever = point - skeleton.bindPosition(deeper);
    sum += dot(lever, lever);
    if (skeleton.joints[deeper].parent == kNoParent) break; // two trees
    deeper = skeleton.joints[deeper].parent;
  }
  return kTurn * kTurn * sum;
}

} // namespace

std::vector<float> confidenceOf(const Mesh& mesh, const rig::DeformRig& rig, const SparseWeights& weights) {
  const std::vector<int> depths = depthsOf(rig.skeleton);
  const double half_sure = kHalfSure * mesh.bounds().diagonal();
  std::vector<float> confidence(mesh.positions.size(), 1.0F);
  if (!(half_sure > 0)) return confidence;
  parallelChunks(mesh.positions.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto joints = weights.jointRow(v);
      const auto row = weights.weightRow(v);
      double variance = 0;
      for (std::size_t i = 0; i < row.size(); ++i)
        for (std::size_t k = i + 1; k < row.size() && row[k] > 0; ++k)
          variance += static_cast<double>(row[i]) * static_cast<double>(row[k]) *
                      squaredParting(rig.skeleton, depths, toDouble(mesh.positions[v]), joints[i], joints[k]);
      confidence[v] = static_cast<float>(1 / (1 + std::sqrt(variance) / half_sure));
    }
  });
  return confidence;
}

} // namespace skincells::guess
