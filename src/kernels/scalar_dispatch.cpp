// The kernels of a build without SIMD paths.
#include "kernels/adam.h"
#include "kernels/field_block.h"
#include "kernels/field_reverse.h"
#include "kernels/field_sites.h"
#include "kernels/row_terms.h"
#include "kernels/skin_rows.h"
#include "kernels/smoothness.h"

namespace skincells::kernels {

void adamStep(const AdamStep& step) {
  scalar::adamStep(step);
}

void cellDistances(const SiteForm* forms, std::size_t site_count, std::span<const std::uint32_t> joints,
                   const BlockPoints& points, float* squared, std::int32_t* site) {
  scalar::cellDistances(forms, site_count, joints, points, squared, site);
}

float cellBounds(const SiteTable& table, const Ball& ball, std::span<const std::uint16_t> groups, int k, float* lower,
                 float* upper) {
  return scalar::cellBounds(table, ball, groups, k, lower, upper);
}

std::size_t listCells(std::span<const std::uint16_t> groups, const float* value, float most, const float* other,
                      float above, std::uint32_t* joints) {
  return scalar::listCells(groups, value, most, other, above, joints);
}

std::size_t listFarCells(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower, float above,
                         const float* upper, float upper_above, float needed, std::uint32_t* joints) {
  return scalar::listFarCells(table, groups, lower, above, upper, upper_above, needed, joints);
}

float largestFarWeight(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower) {
  return scalar::largestFarWeight(table, groups, lower);
}

float nearestDistances(const MeasuredCells& measured, std::size_t first_cell) {
  return scalar::nearestDistances(measured, first_cell);
}

std::size_t splitByReference(const MeasuredCells& measured, std::uint32_t* near, std::uint32_t* far) {
  return scalar::splitByReference(measured, near, far);
}

float logRawWeights(const WeightBlock& block, std::size_t first_cell) {
  return scalar::logRawWeights(block, first_cell);
}

void softmaxWeights(const WeightBlock& block) {
  scalar::softmaxWeights(block);
}

void reverseBlock(const ReverseBlock& block) {
  scalar::reverseBlock(block);
}

void compileSites(FieldShape shape, const SiteColumns& sites) {
  scalar::compileSites(shape, sites);
}

void siteGradients(FieldShape shape, const float* stored, const float* of_shape, const float* sums, float* gradient) {
  scalar::siteGradients(shape, stored, of_shape, sums, gradient);
}

float addSprings(const SpringView& springs, std::size_t begin, std::size_t end, const float* posed,
                 const float* matrices, const float* lane_weight, float* posed_gradient) {
  return scalar::addSprings(springs, begin, end, posed, matrices, lane_weight, posed_gradient);
}

float addTails(const RowView& rows, int max_influences, float least_tail, std::size_t begin, std::size_t end,
               const float* rest, const float* matrices, const float* posed, const float* lane_weight,
               float* posed_gradient, float* weight_gradient) {
  return scalar::addTails(rows, max_influences, least_tail, begin, end, rest, matrices, posed, lane_weight,
                          posed_gradient, weight_gradient);
}

void skinRows(const RowView& rows, std::size_t begin, std::size_t end, const float* rest, const float* matrices,
              float* posed) {
  scalar::skinRows(rows, begin, end, rest, matrices, posed);
}

void skinRowsGradient(const RowView& rows, std::size_t begin, std::size_t end, const float* rest, const float* matrices,
                      const float* posed_gradient, float* weight_gradient) {
  scalar::skinRowsGradient(rows, begin, end, rest, matrices, posed_gradient, weight_gradient);
}

float smoothnessForces(const SmoothnessView& mesh, std::size_t begin, std::size_t end, const float* posed,
                       const float* lane_weight, float* scratch, float* force) {
  return scalar::smoothnessForces(mesh, begin, end, posed, lane_weight, scratch, force);
}

void transposedLaplacian(const SmoothnessView& mesh, std::size_t begin, std::size_t end, const float* force,
                         float* posed_gradient) {
  scalar::transposedLaplacian(mesh, begin, end, force, posed_gradient);
}

} // namespace skincells::kernels
