#include "levels/joint_merge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"

namespace skincells::levels {
namespace {

constexpr double kUnknown = -1;

class Merger {
public:
  Merger(std::span<const Vec3f> positions, const Skeleton& skeleton, const std::vector<Pose>& poses,
         SparseWeights& weights)
      : positions_(positions), skeleton_(skeleton), poses_(poses), weights_(weights),
        carries_(skeleton.joints.size(), false), cost_(skeleton.joints.size(), kUnknown) {
    for (std::size_t i = 0; i < weights.joints.size(); ++i)
      if (weights.weights[i] > 0) carries_[weights.joints[i]] = true;
  }

  int count() const { return static_cast<int>(std::ranges::count(carries_, true)); }

  // The nearest ancestor with weight, or -1.
  int heir(int joint) const {
    int j = parent(joint);
    while (j >= 0 && !carries_[j]) j = parent(j);
    return j;
  }

  // Mean over the poses of the summed squared distances that vertices would move if the joint were merged.
  double cost(int joint) {
    double& known = cost_[joint];
    if (known != kUnknown) return known;
    const int into = heir(joint);
    known = orderedSum(positions_.size(), 2048, 0.0, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t v = begin; v < end; ++v)
        for (std::size_t k = 0; k < weights_.weightRow(v).size(); ++k) {
          const double w = weights_.weightRow(v)[k];
          if (w == 0 || weights_.jointRow(v)[k] != joint) continue;
          const Vec3d p = toDouble(positions_[v]);
          for (const Pose& pose : poses_) {
            const Vec3d offset = (pose[joint].apply(p) - pose[into].apply(p)) * w;
            sum += dot(offset, offset);
          }
        }
      return sum;
    });
    return known /= static_cast<double>(std::max<std::size_t>(poses_.size(), 1));
  }

  // The joint with the lowest cost, or -1.
  int cheapest() {
    int best = -1;
    for (int j = 0; j < skeleton_.jointCount(); ++j)
      if (carries_[j] && heir(j) >= 0 && (best < 0 || cost(j) < cost(best))) best = j;
    return best;
  }

  void merge(int joint, int into) {
    for (std::size_t i = 0; i < weights_.joints.size(); ++i)
      if (weights_.weights[i] > 0 && weights_.joints[i] == joint) weights_.joints[i] = static_cast<std::uint16_t>(into);
    canonicalize(weights_, weights_.slots);
    // The cost changes for the heir, which gains weight, and for the joints whose heir was merged.
    cost_[into] = kUnknown;
    for (int j = 0; j < skeleton_.jointCount(); ++j)
      if (carries_[j] && heir(j) == joint) cost_[j] = kUnknown;
    carries_[joint] = false;
  }

private:
  int parent(int joint) const { return skeleton_.joints[joint].parent; }

  std::span<const Vec3f> positions_;
  const Skeleton& skeleton_;
  const std::vector<Pose>& poses_;
  SparseWeights& weights_;
  std::vector<bool> carries_;
  std::vector<double> cost_;
};

} // namespace

std::vector<MergedJoint> mergeJoints(std::span<const Vec3f> positions, const Skeleton& skeleton,
                                     const std::vector<Pose>& poses, int most, double diagonal,
                                     SparseWeights& weights) {
  std::vector<MergedJoint> out;
  Merger merger(positions, skeleton, poses, weights);
  const double percent = diagonal > 0 ? 100 / diagonal : 0;
  while (merger.count() > most) {
    const int joint = merger.cheapest();
    if (joint < 0) break;
    const int into = merger.heir(joint);
    const double mean = merger.cost(joint) / static_cast<double>(std::max<std::size_t>(positions.size(), 1));
    out.push_back({joint, into, std::sqrt(mean) * percent});
    merger.merge(joint, into);
  }
  return out;
}

int countWeighted(const SparseWeights& weights, int joint_count) {
  const auto statistics = weightStatistics(weights, joint_count);
  return static_cast<int>(std::ranges::count_if(statistics.mass_of_joint, [](double mass) { return mass > 0; }));
}

} // namespace skincells::levels
