#include "loss/sparsity.h"

#include <type_traits>

#include "deform/lbs_gradient.h"
#include "kernels/row_terms.h"

namespace skincells::loss {

template <class T>
T addSparsity(const weights::WeightRowsOf<T>& rows, int max_influences, std::size_t begin, std::size_t end,
              const T* rest, const T* matrices, const T* posed, const T* lane_weight, T* posed_gradient,
              T* weight_gradient) {
  // In float32 a tail of 1e-5 moves a vertex by 0.002 cm at most; the definition in float64 leaves nothing out.
  if constexpr (std::is_same_v<T, float>)
    return kernels::addTails(deform::viewOf(rows), max_influences, 1e-5F, begin, end, rest, matrices, posed,
                             lane_weight, posed_gradient, weight_gradient);
  else
    return kernels::scalar::addTails(deform::viewOf(rows), max_influences, T(-1), begin, end, rest, matrices, posed,
                                     lane_weight, posed_gradient, weight_gradient);
}

template float addSparsity(const weights::WeightRowsOf<float>&, int, std::size_t, std::size_t, const float*,
                           const float*, const float*, const float*, float*, float*);
template double addSparsity(const weights::WeightRowsOf<double>&, int, std::size_t, std::size_t, const double*,
                            const double*, const double*, const double*, double*, double*);

} // namespace skincells::loss
