// The fast evaluation of a field (float32, SIMD, threads) and its reverse pass.
//
// Error against the float64 definition with no weights dropped: weights within 5e-5 for falloffs up to 6, gradients
// within 2e-4 of the largest entry (checked by tests/field/evaluate_test.cpp).
#pragma once

#include <span>
#include <vector>

#include "field/block_rows.h"
#include "skincells/weights.h"
#include "weights/rows.h"

namespace skincells::field {

// The optimizer drops weights up to this share of a point's sum. Such a weight moves a vertex by at most this fraction
// of the distance between the positions that two joints would give it. With a much larger threshold, cells beyond the
// nearest K could no longer win points, because that begins with small weights.
inline constexpr float kKeepAbove = 1e-4F;

// Evaluates fields repeatedly at the same points and differentiates the result.
class Evaluator {
public:
  // Positions are in the unit box.
  explicit Evaluator(const FieldPoints& unit_points);

  // Rows of relaxed or hard weights, one per point, without those up to `keep_above` of the sum (0 drops none). The
  // result does not depend on the number of threads.
  void evaluate(const CompiledField& field, float keep_above, weights::WeightRows& rows);

  // gradient = the derivative of sum_e entry_gradient[e] * rows.weight[e] in the parameters, for the rows from the last
  // call of `evaluate` with the same field. The selection of entries counts as constant.
  void differentiate(const CompiledField& field, const weights::WeightRows& rows, std::span<const float> entry_gradient,
                     std::span<float> gradient);

private:
  // A run of blocks. Each has separate rows and sums, so that threads share nothing.
  struct Chunk {
    BlockRows rows;
    std::size_t first_entry = 0; // index of the chunk's first entry among those of all rows
    BlockSums sums;
  };

  void evaluateChunk(const CompiledField& field, float keep_above, std::size_t c);
  void copyRows(std::size_t c, weights::WeightRows& rows) const;
  // Adds the sums of all chunks for the joints of a group, in order, and writes these joints' part of the gradient.
  void differentiateGroup(const CompiledField& field, std::size_t group, std::span<float> gradient) const;

  PointBlocks points_;
  std::size_t blocks_per_chunk_ = kRun;
  std::vector<Chunk> chunks_;
};

// Hard weights of bind-space points: at most K per point, in canonical form (largest first, lower joint first among
// equal weights, sum 1).
SparseWeights evaluateHard(const FieldParameters& field, const FieldPoints& points);

} // namespace skincells::field
