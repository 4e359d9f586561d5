// The scalar definition of skinning and its derivative.
#include "kernels/skin_rows.h"

namespace skincells::kernels::scalar {
namespace {

// Entry i (axis and pose) of matrix * (x, y, z, 1).
float moved(const float* matrix, const float* rest, std::size_t i) {
  return matrix[i] * rest[0] + matrix[kQuadVector + i] * rest[1] + matrix[2 * kQuadVector + i] * rest[2] +
         matrix[3 * kQuadVector + i];
}

} // namespace

void skinRows(const RowView& rows, std::size_t begin, std::size_t end, const float* rest, const float* matrices,
              float* posed) {
  for (std::size_t v = begin; v < end; ++v)
    for (std::size_t i = 0; i < kQuadVector; ++i) {
      float sum = 0;
      for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e)
        sum += rows.weight[e] * moved(matrices + rows.joint[e] * kQuadMatrix, rest + 3 * v, i);
      posed[v * kQuadVector + i] = sum;
    }
}

void skinRowsGradient(const RowView& rows, std::size_t begin, std::size_t end, const float* rest, const float* matrices,
                      const float* posed_gradient, float* weight_gradient) {
  for (std::size_t v = begin; v < end; ++v)
    for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
      float sum = 0;
      for (std::size_t i = 0; i < kQuadVector; ++i)
        sum += posed_gradient[v * kQuadVector + i] * moved(matrices + rows.joint[e] * kQuadMatrix, rest + 3 * v, i);
      weight_gradient[e] += sum;
    }
}

} // namespace skincells::kernels::scalar
