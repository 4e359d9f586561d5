#include "loss/location.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "kernels/kernels.h"

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

template <class T> T Location<T>::add(const kernels::QuadRange<T>& range, const T* lane_weight) const {
  const kernels::SpringView<T> springs{begin_.data(), joint_.data(), numbers_.data()};
  return kernels::poseKernels<T>().addSprings(springs, range, lane_weight);
}

template class Location<float>;
template class Location<double>;

} // namespace skincells::loss
