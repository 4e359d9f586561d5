#include "loss/stretch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mesh/edges.h"

namespace skincells::loss {
namespace {

constexpr double kShortest = 0.01; // squared, of the length at rest: the derivative stays finite

} // namespace

template <class T>
Stretch<T>::Stretch(std::span<const Vec3<T>> rest, std::span<const Triangle> triangles) : begin_(rest.size() + 1, 0) {
  const auto squaredLength = [&](const mesh::Edge& e) { return dot(rest[e.a] - rest[e.b], rest[e.a] - rest[e.b]); };
  auto edges = mesh::findEdges({triangles.begin(), triangles.end()});
  std::erase_if(edges, [&](const mesh::Edge& e) { return !(squaredLength(e) > T(0)); });
  for (const mesh::Edge& e : edges) {
    ++begin_[e.a + 1];
    ++begin_[e.b + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  end_.resize(2 * edges.size());
  squared_length_.resize(end_.size());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end());
  for (const mesh::Edge& e : edges) {
    squared_length_[next[e.a]] = squared_length_[next[e.b]] = squaredLength(e);
    end_[next[e.a]++] = e.b;
    end_[next[e.b]++] = e.a;
  }
}

template <class T> T Stretch<T>::add(const kernels::QuadRange<T>& range, const T* lane_weight) const {
  T value = 0;
  for (std::size_t v = range.begin; v < range.end; ++v) {
    const T* at = range.posed + v * kernels::kQuadVector;
    T* gradient = range.posed_gradient + v * kernels::kQuadVector;
    for (std::uint32_t e = begin_[v]; e < begin_[v + 1]; ++e) {
      const T* other = range.posed + end_[e] * kernels::kQuadVector;
      const T rest = squared_length_[e];
      for (std::size_t lane = 0; lane < kernels::kQuad; ++lane) {
        const T x = at[lane] - other[lane], y = at[kernels::kQuad + lane] - other[kernels::kQuad + lane],
                z = at[2 * kernels::kQuad + lane] - other[2 * kernels::kQuad + lane];
        const T squared = std::max(x * x + y * y + z * z, rest * static_cast<T>(kShortest));
        const T strain = std::log(squared / rest) / 2;
        const T weight = lane_weight[lane] * rest * strain * strain * strain;
        value += weight * strain / 2;
        const T scale = 4 * weight / squared;
        gradient[lane] += scale * x;
        gradient[kernels::kQuad + lane] += scale * y;
        gradient[2 * kernels::kQuad + lane] += scale * z;
      }
    }
  }
  return value;
}

template class Stretch<float>;
template class Stretch<double>;

} // namespace skincells::loss
