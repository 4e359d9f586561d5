#include "weights/rows_edit.h"

#include <algorithm>
#include <cmath>

namespace skincells::weights {
namespace {

double weightOf(const RowView& row, std::uint16_t joint) {
  for (std::size_t k = 0; k < row.weights.size(); ++k)
    if (row.weights[k] > 0 && row.joints[k] == joint) return row.weights[k];
  return 0;
}

} // namespace

bool equalRows(const RowView& a, const RowView& b) {
  return std::ranges::equal(a.joints, b.joints) && std::ranges::equal(a.weights, b.weights);
}

void copyRow(const SparseWeights& from, std::size_t source, SparseWeights& to, std::size_t target) {
  std::ranges::copy(from.jointRow(source), to.jointRow(target).begin());
  std::ranges::copy(from.weightRow(source), to.weightRow(target).begin());
}

int firstUnmappedJoint(const SparseWeights& weights, std::span<const int> new_joint) {
  for (std::size_t i = 0; i < weights.joints.size(); ++i)
    if (weights.weights[i] > 0 && new_joint[weights.joints[i]] < 0) return weights.joints[i];
  return -1;
}

void remapJoints(SparseWeights& weights, std::span<const int> new_joint) {
  for (std::size_t i = 0; i < weights.joints.size(); ++i)
    weights.joints[i] = weights.weights[i] > 0 ? static_cast<std::uint16_t>(new_joint[weights.joints[i]]) : 0;
}

void setRows(const SparseWeights& row, std::span<const std::uint32_t> vertices, SparseWeights& weights) {
  for (std::uint32_t v : vertices) copyRow(row, 0, weights, v);
}

double halfL1(const RowView& a, const RowView& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.weights.size(); ++k)
    if (a.weights[k] > 0) sum += std::fabs(double{a.weights[k]} - weightOf(b, a.joints[k]));
  for (std::size_t k = 0; k < b.weights.size(); ++k)
    if (b.weights[k] > 0 && weightOf(a, b.joints[k]) == 0) sum += b.weights[k];
  return sum / 2;
}

SparseWeights blend(const SparseWeights& a, const SparseWeights& b, std::span<const double> shares) {
  SparseWeights out(a.vertexCount(), a.slots + b.slots);
  const auto put = [&](const SparseWeights& from, double factor, std::size_t v, std::size_t slot) {
    for (std::size_t k = 0; k < from.weightRow(v).size(); ++k) {
      out.jointRow(v)[slot + k] = from.jointRow(v)[k];
      out.weightRow(v)[slot + k] = static_cast<float>(factor * from.weightRow(v)[k]);
    }
  };
  for (std::size_t v = 0; v < a.vertexCount(); ++v) {
    put(a, shares[v], v, 0);
    put(b, 1 - shares[v], v, static_cast<std::size_t>(a.slots));
  }
  canonicalize(out, out.slots);
  return out;
}

} // namespace skincells::weights
