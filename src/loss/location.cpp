#include "loss/location.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "deform/lbs_gradient.h"

namespace skincells::loss {

template <class T>
Location<T>::Location(std::vector<Spring<T>> springs, std::size_t vertex_count)
    : springs_(std::move(springs)), begin_(vertex_count + 1, 0) {
  std::stable_sort(springs_.begin(), springs_.end(),
                   [](const Spring<T>& a, const Spring<T>& b) { return a.vertex < b.vertex; });
  for (const Spring<T>& s : springs_) {
    SKINCELLS_ASSERT(s.vertex < vertex_count);
    ++begin_[s.vertex + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
}

template <class T>
T Location<T>::addGradient(std::size_t begin, std::size_t end, const T* posed, const T* matrices, const T* lane_weight,
                           T* posed_gradient) const {
  T value = 0;
  for (std::size_t i = begin_[begin]; i < begin_[end]; ++i) {
    const Spring<T>& spring = springs_[i];
    const T* x = posed + kernels::kQuadVector * spring.vertex;
    T* gradient = posed_gradient + kernels::kQuadVector * spring.vertex;
    const T anchor[3] = {spring.anchor.x, spring.anchor.y, spring.anchor.z};
    const auto q = deform::movedBy(matrices + kernels::kQuadMatrix * spring.joint, anchor);
    const T inverse = T(1) / (spring.rest_length + static_cast<T>(kSpringSoftening));
    for (std::size_t p = 0; p < kernels::kQuad; ++p) {
      const Vec3<T> off{x[p] - q[p], x[4 + p] - q[4 + p], x[8 + p] - q[8 + p]};
      const T now = length(off), stretch = (now - spring.rest_length) * inverse;
      value += lane_weight[p] * stretch * stretch;
      const T pull = now > T(0) ? 2 * lane_weight[p] * stretch * inverse / now : T(0);
      gradient[p] += pull * off.x, gradient[4 + p] += pull * off.y, gradient[8 + p] += pull * off.z;
    }
  }
  return value;
}

template class Location<float>;
template class Location<double>;

} // namespace skincells::loss
