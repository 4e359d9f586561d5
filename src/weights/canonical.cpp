#include <algorithm>
#include <cmath>

#include "skincells/weights.h"
#include "weights/rows_edit.h"

namespace skincells {
namespace {

// The largest error of a sum of at most 16 weights that were rounded to float32. A row whose sum is 1 to within this
// error has been scaled before; scaling it again would change only its last digits.
constexpr double kSumRoundingError = 5e-7;

struct Influence {
  std::uint16_t joint;
  float weight;
};

// Usable influences of a row, duplicates merged, largest first.
void collect(const SparseWeights& weights, std::size_t v, std::vector<Influence>& row) {
  row.clear();
  const auto joints = weights.jointRow(v);
  const auto values = weights.weightRow(v);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!(values[k] > 0) || !std::isfinite(values[k])) continue;
    const auto same = std::find_if(row.begin(), row.end(), [&](const Influence& i) { return i.joint == joints[k]; });
    if (same != row.end())
      same->weight += values[k];
    else
      row.push_back({joints[k], values[k]});
  }
  std::sort(row.begin(), row.end(), [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
}

} // namespace

std::vector<std::uint32_t> canonicalize(SparseWeights& weights, int max_influences) {
  SparseWeights out(weights.vertexCount(), max_influences);
  std::vector<std::uint32_t> empty_vertices;
  std::vector<Influence> row;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    collect(weights, v, row);
    if (row.empty()) {
      empty_vertices.push_back(static_cast<std::uint32_t>(v));
      continue;
    }
    row.resize(std::min(row.size(), static_cast<std::size_t>(max_influences)));
    double sum = 0;
    for (const Influence& i : row) sum += i.weight;
    if (std::abs(sum - 1) <= kSumRoundingError) sum = 1;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto scaled = std::min(static_cast<float>(row[k].weight / sum), 1.0F);
      if (!(scaled > 0)) break; // underflow: leave the slot empty
      out.jointRow(v)[k] = row[k].joint;
      out.weightRow(v)[k] = scaled;
    }
  }
  weights = std::move(out);
  return empty_vertices;
}

SparseWeights gatherRows(const SparseWeights& rows, std::span<const std::uint32_t> row_of_vertex) {
  SparseWeights out(row_of_vertex.size(), rows.slots);
  for (std::size_t v = 0; v < row_of_vertex.size(); ++v) weights::copyRow(rows, row_of_vertex[v], out, v);
  return out;
}

} // namespace skincells
