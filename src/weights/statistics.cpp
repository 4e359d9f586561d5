#include <algorithm>

#include "skincells/weights.h"

namespace skincells {

WeightStatistics weightStatistics(const SparseWeights& weights, int joint_count) {
  constexpr float kSmallestInfluence = 1e-4f;
  WeightStatistics s;
  s.vertices_of_joint.resize(static_cast<std::size_t>(joint_count));
  s.mass_of_joint.resize(static_cast<std::size_t>(joint_count));
  std::uint64_t influences = 0;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    int here = 0;
    const auto joints = weights.jointRow(v);
    const auto values = weights.weightRow(v);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!(values[k] > 0) || joints[k] >= joint_count) continue;
      s.mass_of_joint[joints[k]] += values[k];
      if (values[k] <= kSmallestInfluence) continue;
      ++here;
      ++s.vertices_of_joint[joints[k]];
    }
    s.max_influences = std::max(s.max_influences, here);
    s.unweighted_vertices += here == 0;
    influences += static_cast<std::uint64_t>(here);
  }
  if (!weights.empty())
    s.mean_influences = static_cast<double>(influences) / static_cast<double>(weights.vertexCount());
  return s;
}

} // namespace skincells
