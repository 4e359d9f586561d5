// The scalar definitions of the location and sparsity loops.
#include "kernels/row_terms.h"

#include <algorithm>
#include <cmath>

namespace skincells::kernels::scalar {
namespace {

#include "kernels/quad_scalar-inl.h"
#include "kernels/row_terms-inl.h"

} // namespace

template <class T>
T addSprings(const SpringViewOf<T>& springs, std::size_t begin, std::size_t end, const T* posed, const T* matrices,
             const T* lane_weight, T* posed_gradient) {
  return springsWith<Four<T>>(springs, begin, end, posed, matrices, lane_weight, posed_gradient);
}

template <class T>
T addTails(const RowViewOf<T>& rows, int max_influences, T least_tail, std::size_t begin, std::size_t end,
           const T* rest, const T* matrices, const T* posed, const T* lane_weight, T* posed_gradient,
           T* weight_gradient) {
  return tailsWith<Four<T>>(rows, static_cast<std::size_t>(max_influences), least_tail, begin, end, rest, matrices,
                            posed, lane_weight, posed_gradient, weight_gradient);
}

#define SKINCELLS_FOR_SCALAR(T)                                                                                        \
  template T addSprings(const SpringViewOf<T>&, std::size_t, std::size_t, const T*, const T*, const T*, T*);           \
  template T addTails(const RowViewOf<T>&, int, T, std::size_t, std::size_t, const T*, const T*, const T*, const T*,   \
                      T*, T*);
SKINCELLS_FOR_SCALAR(float)
SKINCELLS_FOR_SCALAR(double)
#undef SKINCELLS_FOR_SCALAR

} // namespace skincells::kernels::scalar
