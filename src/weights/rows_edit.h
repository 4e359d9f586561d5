// Operations on weight rows that several rooms share.
#pragma once

#include <cstdint>
#include <span>

#include "skincells/weights.h"

namespace skincells::weights {

// One row: joints and weights side by side.
struct RowView {
  std::span<const std::uint16_t> joints;
  std::span<const float> weights;
};
inline RowView rowOf(const SparseWeights& w, std::size_t v) {
  return {w.jointRow(v), w.weightRow(v)};
}

// The same slots with the same bits. For canonical rows: the same weights.
bool equalRows(const RowView& a, const RowView& b);

// Half the L1 distance of two rows, 0 .. 1. The slots of a row must name different joints.
double halfL1(const RowView& a, const RowView& b);

// Copies row `source` of `from` to row `target` of `to`. Both have the same number of slots; they may be one object.
void copyRow(const SparseWeights& from, std::size_t source, SparseWeights& to, std::size_t target);

// Copies the single row of `row` to each of the vertices. Both have the same number of slots.
void setRows(const SparseWeights& row, std::span<const std::uint32_t> vertices, SparseWeights& weights);

// Replaces joint j by new_joint[j] in every slot with a weight; slots without one become joint 0. Every joint with a
// weight must have a new index (>= 0). Rows keep their order, so they may no longer be canonical.
void remapJoints(SparseWeights& weights, std::span<const int> new_joint);

// The joint of the first slot with a weight for which new_joint has no index (< 0); -1: remapJoints can be called.
int firstUnmappedJoint(const SparseWeights& weights, std::span<const int> new_joint);

// Inserts a weight into a row in descending order and drops the smallest one; of equal weights the earlier stays first.
// Inline: called for every vertex and joint.
inline void keepLargest(int joint, float weight, std::span<std::uint16_t> joints, std::span<float> weights) {
  if (!(weight > weights.back())) return;
  std::size_t k = weights.size() - 1;
  for (; k > 0 && weight > weights[k - 1]; --k) {
    joints[k] = joints[k - 1];
    weights[k] = weights[k - 1];
  }
  joints[k] = static_cast<std::uint16_t>(joint);
  weights[k] = weight;
}

// shares[v] * a + (1 - shares[v]) * b, row by row, in canonical form.
SparseWeights blend(const SparseWeights& a, const SparseWeights& b, std::span<const double> shares);

} // namespace skincells::weights
