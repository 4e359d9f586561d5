#include "loss/location.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "base/assert.h"
#include "kernels/row_terms.h"

namespace skincells::loss {

template <class T>
Location<T>::Location(std::vector<Spring<T>> springs, std::size_t vertex_count) : begin_(vertex_count + 1, 0) {
  std::stable_sort(springs.begin(), springs.end(),
                   [](const Spring<T>& a, const Spring<T>& b) { return a.vertex < b.vertex; });
  for (const Spring<T>& s : springs) {
    SKINCELLS_ASSERT(s.vertex < vertex_count);
    ++begin_[s.vertex + 1];
    joint_.push_back(s.joint);
    const T inverse = T(1) / (s.rest_length + static_cast<T>(kSpringSoftening));
    numbers_.insert(numbers_.end(), {s.anchor.x, s.anchor.y, s.anchor.z, s.rest_length, inverse});
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
}

template <class T>
T Location<T>::addGradient(std::size_t begin, std::size_t end, const T* posed, const T* matrices, const T* lane_weight,
                           T* posed_gradient) const {
  const kernels::SpringViewOf<T> view{begin_.data(), joint_.data(), numbers_.data()};
  if constexpr (std::is_same_v<T, float>)
    return kernels::addSprings(view, begin, end, posed, matrices, lane_weight, posed_gradient);
  else
    return kernels::scalar::addSprings(view, begin, end, posed, matrices, lane_weight, posed_gradient);
}

template class Location<float>;
template class Location<double>;

} // namespace skincells::loss
