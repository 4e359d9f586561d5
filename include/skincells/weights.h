// Skinning weights with a fixed number of slots per vertex.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace skincells {

inline constexpr int kMaxInfluences = 8; // per vertex after a bind: two glTF attribute sets

// Row v holds `slots` pairs (joint, weight). Unused slots are joint 0 with weight 0.
struct SparseWeights {
  int slots = 0;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;

  SparseWeights() = default;
  SparseWeights(std::size_t vertex_count, int slot_count)
      : slots(slot_count), joints(vertex_count * static_cast<std::size_t>(slot_count)),
        weights(vertex_count * static_cast<std::size_t>(slot_count)) {}

  std::size_t vertexCount() const { return slots == 0 ? 0 : weights.size() / static_cast<std::size_t>(slots); }
  bool empty() const { return weights.empty(); }
  std::span<std::uint16_t> jointRow(std::size_t v) { return std::span(joints).subspan(v * slotCount(), slotCount()); }
  std::span<const std::uint16_t> jointRow(std::size_t v) const {
    return std::span(joints).subspan(v * slotCount(), slotCount());
  }
  std::span<float> weightRow(std::size_t v) { return std::span(weights).subspan(v * slotCount(), slotCount()); }
  std::span<const float> weightRow(std::size_t v) const {
    return std::span(weights).subspan(v * slotCount(), slotCount());
  }

private:
  std::size_t slotCount() const { return static_cast<std::size_t>(slots); }
};

// Brings every row into canonical form, as stored in files: equal joints merged, negative and non-finite weights
// dropped, the `max_influences` largest kept in descending order (ties: lower joint first) and scaled to sum to 1.
// A canonical row does not change, bit for bit.
// Returns the vertices that have no weight left; their rows are all zero.
std::vector<std::uint32_t> canonicalize(SparseWeights& weights, int max_influences);

// Row v of the result is row row_of_vertex[v] of `rows`, e.g. from one row per welded vertex to one per vertex.
SparseWeights gatherRows(const SparseWeights& rows, std::span<const std::uint32_t> row_of_vertex);

enum class Quantization { U8, U16, F32 };

// Integer weights of one row that sum to exactly `total` and minimize the largest error (largest remainder method).
// `row` must be non-negative with a positive sum; order of equal remainders: first slot first.
void quantizeRow(std::span<const float> row, std::uint32_t total, std::span<std::uint32_t> out);

struct WeightStatistics {
  int max_influences = 0;     // counts weights above 1e-4
  double mean_influences = 0; // counts weights above 1e-4
  std::uint32_t unweighted_vertices = 0;
  std::vector<std::uint32_t> vertices_of_joint; // vertices on which joint j has more than 1e-4
  std::vector<double> mass_of_joint;            // sum of its weights
};
WeightStatistics weightStatistics(const SparseWeights& weights, int joint_count);

} // namespace skincells
