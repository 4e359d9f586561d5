#include "metrics/fill_unweighted.h"

#include <algorithm>
#include <vector>

#include "base/assert.h"
#include "base/parallel.h"
#include "mesh/point_tree.h"
#include "weights/rows_edit.h"

namespace skincells::metrics {

std::uint32_t fillUnweighted(std::span<const Vec3f> positions, SparseWeights& weights) {
  SKINCELLS_ASSERT(positions.size() == weights.vertexCount());
  std::vector<std::uint32_t> weighted, empty;
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    const auto row = weights.weightRow(v);
    const bool has_weight = std::any_of(row.begin(), row.end(), [](float w) { return w > 0; });
    (has_weight ? weighted : empty).push_back(v);
  }
  const auto empty_count = static_cast<std::uint32_t>(empty.size());
  if (empty.empty() || weighted.empty()) return empty_count;
  const mesh::PointTree tree(positions, std::move(weighted));
  constexpr std::size_t kChunk = 256;
  parallelChunks(empty.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t v = empty[i];
      weights::copyRow(weights, tree.nearest(toDouble(positions[v])), weights, v);
    }
  });
  return empty_count;
}

} // namespace skincells::metrics
