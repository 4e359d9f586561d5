// The definition of skinning and its derivative.
#include "kernels/parts.h"

namespace skincells::kernels::scalar {
namespace {

// Entry i (axis and pose) of matrix * (x, y, z, 1).
template <class T> T moved(const T* matrix, const T* rest, std::size_t i) {
  return matrix[i] * rest[0] + matrix[kQuadVector + i] * rest[1] + matrix[2 * kQuadVector + i] * rest[2] +
         matrix[3 * kQuadVector + i];
}

template <class T> void skinRows(const QuadRange<T>& range) {
  const RowView<T>& rows = range.rows;
  for (std::size_t v = range.begin; v < range.end; ++v)
    for (std::size_t i = 0; i < kQuadVector; ++i) {
      T sum = 0;
      for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e)
        sum += rows.weight[e] * moved(range.matrices + rows.joint[e] * kQuadMatrix, range.rest + 3 * v, i);
      range.posed[v * kQuadVector + i] = sum;
    }
}

template <class T> void skinRowsGradient(const QuadRange<T>& range) {
  const RowView<T>& rows = range.rows;
  for (std::size_t v = range.begin; v < range.end; ++v)
    for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
      const T* matrix = range.matrices + rows.joint[e] * kQuadMatrix;
      T sum = 0;
      for (std::size_t i = 0; i < kQuadVector; ++i)
        sum += range.posed_gradient[v * kQuadVector + i] * moved(matrix, range.rest + 3 * v, i);
      range.weight_gradient[e] += sum;
    }
}

} // namespace

template <class T> void setSkinRows(PoseKernels<T>& table) {
  table.skinRows = skinRows;
  table.skinRowsGradient = skinRowsGradient;
}
template void setSkinRows(PoseKernels<float>&);
template void setSkinRows(PoseKernels<double>&);

} // namespace skincells::kernels::scalar
