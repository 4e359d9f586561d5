// The fast evaluation of a field (float32, SIMD, threads) and its reverse pass.
//
// Error against the float64 definition with nothing left out: weights within 5e-5 for falloffs up to 6, gradients
// within 2e-4 of the largest entry; tests/field/evaluate_test.cpp holds it to that.
#pragma once

#include <span>
#include <vector>

#include "field/block_rows.h"
#include "skincells/weights.h"
#include "weights/rows.h"

namespace skincells::field {

// What the optimizer leaves out: a weight of this share of a point's sum moves a vertex by a ten-thousandth of the
// distance between where two joints would put it. Much more, and cells beyond the nearest K could not win points any
// more, as that starts with small weights.
inline constexpr float kKeepAbove = 1e-4F;

// Evaluates fields again and again at the same points and differentiates the result.
class Evaluator {
public:
  explicit Evaluator(std::span<const Vec3f> unit_points);

  // Rows of relaxed or hard weights, one per point, those up to `keep_above` of the sum left out (0: none are). The
  // result does not depend on the number of threads.
  void evaluate(const CompiledField& field, float keep_above, weights::WeightRows& rows);

  // gradient = the derivative of sum_e entry_gradient[e] * rows.weight[e] in the parameters, for the rows that the
  // last `evaluate` of the same field made. Exact for the weights as computed: the choice of entries is held fixed.
  void differentiate(const CompiledField& field, const weights::WeightRows& rows, std::span<const float> entry_gradient,
                     std::span<float> gradient);

private:
  // A run of blocks with its own rows and sums, so that threads never meet.
  struct Chunk {
    BlockRows rows;
    std::size_t first_entry = 0; // of the chunk, among all rows
    BlockSums sums;
  };

  void evaluateChunk(const CompiledField& field, float keep_above, std::size_t c);
  void copyRows(std::size_t c, weights::WeightRows& rows) const;
  // The sums of all chunks for the joints of a group, added in order and turned into their part of the gradient.
  void differentiateGroup(const CompiledField& field, std::size_t group, std::span<float> gradient) const;

  PointBlocks points_;
  std::size_t blocks_per_chunk_ = kRun;
  std::vector<Chunk> chunks_;
};

// Hard weights of any number of bind-space points: at most K per point, in canonical form (largest first, ties:
// lower joint first, sum 1).
SparseWeights evaluateHard(const FieldParameters& field, std::span<const Vec3f> points);

} // namespace skincells::field
