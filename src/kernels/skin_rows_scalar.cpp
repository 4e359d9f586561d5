// The scalar definition of skinning and its derivative.
#include "kernels/skin_rows.h"

namespace skincells::kernels::scalar {
namespace {

// Entry i (axis and pose) of matrix * (x, y, z, 1).
template <class T> T moved(const T* matrix, const T* rest, std::size_t i) {
  return matrix[i] * rest[0] + matrix[kQuadVector + i] * rest[1] + matrix[2 * kQuadVector + i] * rest[2] +
         matrix[3 * kQuadVector + i];
}

} // namespace

template <class T>
void skinRows(const RowViewOf<T>& rows, std::size_t begin, std::size_t end, const T* rest, const T* matrices,
              T* posed) {
  for (std::size_t v = begin; v < end; ++v)
    for (std::size_t i = 0; i < kQuadVector; ++i) {
      T sum = 0;
      for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e)
        sum += rows.weight[e] * moved(matrices + rows.joint[e] * kQuadMatrix, rest + 3 * v, i);
      posed[v * kQuadVector + i] = sum;
    }
}

template <class T>
void skinRowsGradient(const RowViewOf<T>& rows, std::size_t begin, std::size_t end, const T* rest, const T* matrices,
                      const T* posed_gradient, T* weight_gradient) {
  for (std::size_t v = begin; v < end; ++v)
    for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
      T sum = 0;
      for (std::size_t i = 0; i < kQuadVector; ++i)
        sum += posed_gradient[v * kQuadVector + i] * moved(matrices + rows.joint[e] * kQuadMatrix, rest + 3 * v, i);
      weight_gradient[e] += sum;
    }
}

template void skinRows(const RowViewOf<float>&, std::size_t, std::size_t, const float*, const float*, float*);
template void skinRows(const RowViewOf<double>&, std::size_t, std::size_t, const double*, const double*, double*);
template void skinRowsGradient(const RowViewOf<float>&, std::size_t, std::size_t, const float*, const float*,
                               const float*, float*);
template void skinRowsGradient(const RowViewOf<double>&, std::size_t, std::size_t, const double*, const double*,
                               const double*, double*);

} // namespace skincells::kernels::scalar
