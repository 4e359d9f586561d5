#include "loss/sparsity.h"

#include <type_traits>

#include "kernels/kernels.h"

namespace skincells::loss {
namespace {

// A tail of 1e-5 moves a vertex by at most 0.002 cm, so float32 skips it. The definition in float64 skips nothing.
template <class T> constexpr T kMinTail = std::is_same_v<T, float> ? T(1e-5F) : T(-1);

} // namespace

template <class T> T Sparsity<T>::add(const kernels::QuadRange<T>& range, const T* lane_weight) const {
  const kernels::TailLimits<T> limits{static_cast<std::size_t>(max_influences_), kMinTail<T>};
  return kernels::poseKernels<T>().addTails(limits, range, lane_weight);
}

template class Sparsity<float>;
template class Sparsity<double>;

} // namespace skincells::loss
