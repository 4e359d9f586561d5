// The kernels of a build without SIMD paths.
#include "kernels/field_block.h"
#include "kernels/skin_rows.h"
#include "kernels/smoothness.h"

namespace skincells::kernels {

void cellDistances(const SiteForm* forms, const CellList& cells, const BlockPoints& points, float* squared,
                   std::int32_t* site) {
  scalar::cellDistances(forms, cells, points, squared, site);
}

void cellBounds(const SiteTable& table, const Ball& ball, float* site_lower2, float* lower2, float* upper2,
                float* far_log_raw) {
  scalar::cellBounds(table, ball, site_lower2, lower2, upper2, far_log_raw);
}

void referenceDistances(const WeightBlock& block) {
  scalar::referenceDistances(block);
}

void logRawWeights(const WeightBlock& block, std::size_t first_cell) {
  scalar::logRawWeights(block, first_cell);
}

void softmaxWeights(const WeightBlock& block) {
  scalar::softmaxWeights(block);
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

void addTransposedLaplacian(const SmoothnessView& mesh, std::size_t begin, std::size_t end, const float* force,
                            float* posed_gradient) {
  scalar::addTransposedLaplacian(mesh, begin, end, force, posed_gradient);
}

} // namespace skincells::kernels
