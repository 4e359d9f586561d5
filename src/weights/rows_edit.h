// Small edits of weight rows that several rooms need.
#pragma once

#include <cstdint>
#include <span>

#include "skincells/weights.h"

namespace skincells::weights {

// Replaces joint j by new_joint[j] in every slot with a weight; slots without one become joint 0. Every joint with a
// weight must have a new index (>= 0). Rows keep their order, so they may no longer be canonical.
void remapJoints(SparseWeights& weights, std::span<const int> new_joint);

// Copies the single row of `row` to each of the vertices. Both have the same number of slots.
void setRows(const SparseWeights& row, std::span<const std::uint32_t> vertices, SparseWeights& weights);

// One row: joints and weights side by side.
struct RowView {
  std::span<const std::uint16_t> joints;
  std::span<const float> weights;
};
inline RowView rowOf(const SparseWeights& w, std::size_t v) {
  return {w.jointRow(v), w.weightRow(v)};
}
// Half the L1 distance of two rows, 0 .. 1. Slots of one row name different joints.
double halfL1(const RowView& a, const RowView& b);

// shares[v] * a + (1 - shares[v]) * b, row by row, in canonical form.
SparseWeights blend(const SparseWeights& a, const SparseWeights& b, std::span<const double> shares);

} // namespace skincells::weights
