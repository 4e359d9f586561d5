// The hot loops of the solver: one table of functions, filled with plain C++ definitions or with SIMD versions that
// compute the same. The argument structs are in the headers below.
#pragma once

#include "kernels/adam.h"
#include "kernels/dense.h"
#include "kernels/field_block.h"
#include "kernels/field_reverse.h"
#include "kernels/field_sites.h"
#include "kernels/quad_range.h"
#include "kernels/row_terms.h"
#include "kernels/smoothness.h"

namespace skincells::kernels {

// Loops over the vertices of a QuadRange. `lane_weight` is one factor per pose; a value is the sum over all four.
template <class T> struct PoseKernels {
  // Linear blend skinning: posed[v] = sum over the row of weight * (matrix of the joint) * rest[v].
  void (*skinRows)(const QuadRange<T>& range);

  // Its derivative: weight_gradient[e] += <posed_gradient[v], (matrix of e's joint) * rest[v]> for the entries e of
  // row v.
  void (*skinRowsGradient)(const QuadRange<T>& range);

  // With stretch = (|posed - anchor| - l) / (l + softening): returns the sum of lane_weight * stretch^2 over the
  // springs and adds its derivative to posed_gradient. Reads matrices and posed.
  T (*addSprings)(const SpringView<T>& springs, const QuadRange<T>& range, const T* lane_weight);

  // For the rows that have a tail, with off = posed - (skinning by the largest weights divided by their sum): returns
  // the sum of lane_weight * |off|^2 and adds its derivative, the part through `posed` to posed_gradient, the part
  // through the largest weights to weight_gradient. Reads rows, rest, matrices and posed.
  T (*addTails)(const TailLimits<T>& limits, const QuadRange<T>& range, const T* lane_weight);

  // With residual = (mean of the ring - posed) - frame * rest_detail: writes force = 2 lane_weight * residual and
  // returns the sum of lane_weight * |residual|^2. The frame is that of `posed`: n is the area-weighted normal of the
  // fan, t the reference edge made orthogonal to it. Reads `posed` also outside of the range. `scratch` has room for
  // kQuadVector numbers per neighbor of any vertex.
  T (*smoothnessForces)(const SmoothnessView<T>& mesh, const QuadRange<T>& range, const T* lane_weight, T* scratch);

  // posed_gradient[v] = the transposed Laplacian of `force` at v. Reads `force` also outside of the range.
  void (*transposedLaplacian)(const SmoothnessView<T>& mesh, const QuadRange<T>& range);
};

struct Kernels : PoseKernels<float> {
  // With g the gradient: mean = b1 mean + (1 - b1) g, mean_square = b2 mean_square + (1 - b2) g^2 and
  // value -= rate mean / (sqrt(mean_square) + epsilon). Entries whose gradient is not finite do not change.
  void (*adamStep)(const AdamStep& step);

  // output[r][o] += sum over i of input[r][i] * weights[i][o], added in the order of i: the same bits from every table.
  void (*addDense)(const DenseLayer& layer);

  // Distances of points to cells.
  void (*cellDistances)(const DistanceBlock& block);

  // For every point of the ball: lower[j] <= distance of cell j <= upper[j]. Returns a distance that at least k + 1 of
  // the cells do not exceed anywhere in the ball; infinity if there are fewer.
  float (*cellBounds)(const CellBounds& bounds);

  // Both write the selected joints, ascending within the order of the groups, and return their number.
  std::size_t (*listCells)(const CellFilter& filter);
  std::size_t (*listFarCells)(const FarCellFilter& filter);

  // The largest far weight (see FarCellFilter) in the groups; kLogZero without groups.
  float (*largestFarWeight)(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower);

  // Inserts the cells from `first_cell` on into `nearest`, which first_cell == 0 resets. Returns the largest D^2.
  float (*nearestDistances)(const MeasuredCells& measured, std::size_t first_cell);

  // Splits the cells into those whose distance is at most D at some point, and the others, both ascending; returns the
  // number of the former. Each list needs room for all cells.
  std::size_t (*splitByReference)(const MeasuredCells& measured, std::uint32_t* near, std::uint32_t* far);

  // For the cells from `first_cell` on: distance, at_reference and log_raw = r log(max(c, D - d) / d). Raises `top`,
  // which first_cell == 0 resets. Returns the smallest `top`.
  float (*logRawWeights)(const WeightBlock& block, std::size_t first_cell);

  // weight = softmax(log_raw), keep and kept. Raw weights up to keep_above of the largest count as 0. All three are
  // unspecified for points whose `top` is kLogZero.
  void (*softmaxWeights)(const WeightBlock& block);

  // The reverse pass: adds to the sums of the block's sites and joints.
  void (*reverseBlock)(const ReverseBlock& block);

  // From stored parameters to forms, shapes, offsets and spreads.
  void (*compileSites)(const SiteColumns& sites);

  // From sums to the gradient in the stored parameters.
  void (*siteGradients)(const SiteGradients& sites);
};

// The table in use: the scalar one if the build has no SIMD versions (SKINCELLS_FORCE_SCALAR), if the environment
// variable SKINCELLS_SCALAR is 1, or while a ScalarOnly object exists; otherwise that of the best instruction set,
// chosen at the first call.
const Kernels& active();

// The table in use for float, the definitions for double.
template <class T> const PoseKernels<T>& poseKernels();
template <> const PoseKernels<float>& poseKernels();
template <> const PoseKernels<double>& poseKernels();

// The definitions.
const Kernels& scalarKernels();

// The SIMD versions for Highway's current target; the definitions where there are none.
Kernels simdKernels();

// Forces the scalar table while the object exists.
class ScalarOnly {
public:
  ScalarOnly();
  ~ScalarOnly();
  ScalarOnly(const ScalarOnly&) = delete;
  ScalarOnly& operator=(const ScalarOnly&) = delete;
};

} // namespace skincells::kernels
