#include "loss/smoothness.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/assert.h"
#include "kernels/kernels.h"
#include "mesh/edges.h"

namespace skincells::loss {

template <class T>
Smoothness<T>::Smoothness(std::span<const Vec3<T>> rest, std::span<const Triangle> triangles,
                          std::vector<std::uint32_t> tangent_reference) {
  findRings(rest.size(), triangles);
  findFans(triangles);
  measureRest(rest, tangent_reference);
}

template <class T> void Smoothness<T>::findRings(std::size_t vertex_count, std::span<const Triangle> triangles) {
  auto edges = mesh::findEdges({triangles.begin(), triangles.end()});
  std::erase_if(edges, [](const mesh::Edge& e) { return e.a == e.b; });
  ring_begin_.assign(vertex_count + 1, 0);
  for (const mesh::Edge& e : edges) {
    ++ring_begin_[e.a + 1];
    ++ring_begin_[e.b + 1];
  }
  for (std::size_t v = 0; v < vertex_count; ++v) max_degree_ = std::max(max_degree_, std::size_t{ring_begin_[v + 1]});
  std::partial_sum(ring_begin_.begin(), ring_begin_.end(), ring_begin_.begin());
  ring_.resize(2 * edges.size());
  // Edges are sorted by (a, b), so adding the smaller neighbors first leaves every ring sorted.
  std::vector<std::uint32_t> next(ring_begin_.begin(), ring_begin_.end());
  for (const mesh::Edge& e : edges) ring_[next[e.b]++] = e.a;
  for (const mesh::Edge& e : edges) ring_[next[e.a]++] = e.b;
}

template <class T> std::uint32_t Smoothness<T>::placeInRing(std::uint32_t v, std::uint32_t neighbor) const {
  const auto begin = ring_.begin() + ring_begin_[v], end = ring_.begin() + ring_begin_[v + 1];
  const auto at = std::lower_bound(begin, end, neighbor);
  SKINCELLS_ASSERT(at != end && *at == neighbor);
  return static_cast<std::uint32_t>(at - begin);
}

template <class T> void Smoothness<T>::findFans(std::span<const Triangle> triangles) {
  fan_begin_.assign(ring_begin_.size(), 0);
  const auto degenerate = [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; };
  for (const Triangle& t : triangles)
    if (!degenerate(t))
      for (std::uint32_t v : t) ++fan_begin_[v + 1];
  std::partial_sum(fan_begin_.begin(), fan_begin_.end(), fan_begin_.begin());
  fan_.resize(std::size_t{2} * fan_begin_.back());
  std::vector<std::uint32_t> next(fan_begin_.begin(), fan_begin_.end());
  for (const Triangle& t : triangles) {
    if (degenerate(t)) continue;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::uint32_t v = t[corner];
      const std::size_t f = next[v]++;
      fan_[2 * f] = placeInRing(v, t[(corner + 1) % 3]);
      fan_[2 * f + 1] = placeInRing(v, t[(corner + 2) % 3]);
    }
  }
}

template <class T>
void Smoothness<T>::measureRest(std::span<const Vec3<T>> rest, const std::vector<std::uint32_t>& tangent_reference) {
  reference_.assign(rest.size(), kernels::kNoFrame);
  inverse_degree_.assign(rest.size(), T(0));
  rest_detail_.assign(3 * rest.size(), T(0));
  rest_laplacian_.assign(rest.size(), {});
  for (std::uint32_t v = 0; v < rest.size(); ++v) {
    const std::uint32_t* ring = ring_.data() + ring_begin_[v];
    const std::size_t degree = ring_begin_[v + 1] - ring_begin_[v];
    if (degree == 0) continue;
    inverse_degree_[v] = T(1) / static_cast<T>(degree);
    Vec3<T> sum, normal;
    for (std::size_t k = 0; k < degree; ++k) sum += rest[ring[k]] - rest[v];
    rest_laplacian_[v] = sum * inverse_degree_[v];
    for (std::size_t f = fan_begin_[v]; f < fan_begin_[v + 1]; ++f)
      normal += cross(rest[ring[fan_[2 * f]]] - rest[v], rest[ring[fan_[2 * f + 1]]] - rest[v]);
    const Vec3<T> n = normalized(normal);

    const auto along = [&](std::size_t k) {
      const Vec3<T> edge = rest[ring[k]] - rest[v];
      return edge - n * dot(edge, n);
    };
    std::size_t best = 0;
    for (std::size_t k = 1; k < degree; ++k)
      if (dot(along(k), along(k)) > dot(along(best), along(best))) best = k;
    if (!tangent_reference.empty()) best = placeInRing(v, tangent_reference[v]);
    const Vec3<T> t = normalized(along(best));
    if (!(dot(n, n) > T(0)) || !(dot(t, t) > T(0))) continue;
    reference_[v] = static_cast<std::uint32_t>(best);
    rest_detail_[3 * v] = dot(t, rest_laplacian_[v]);
    rest_detail_[3 * v + 1] = dot(cross(n, t), rest_laplacian_[v]);
    rest_detail_[3 * v + 2] = dot(n, rest_laplacian_[v]);
  }
}

template <class T> kernels::SmoothnessView<T> Smoothness<T>::view() const {
  return {ring_begin_.data(), ring_.data(),           fan_begin_.data(),  fan_.data(),
          reference_.data(),  inverse_degree_.data(), rest_detail_.data()};
}

template <class T> T Smoothness<T>::measure(const kernels::QuadRange<T>& range, const T* lane_weight) const {
  thread_local std::vector<T> scratch;
  scratch.resize(std::max(scratch.size(), kernels::kQuadVector * max_degree_));
  return kernels::poseKernels<T>().smoothnessForces(view(), range, lane_weight, scratch.data());
}

template <class T> void Smoothness<T>::setGradient(const kernels::QuadRange<T>& range) const {
  kernels::poseKernels<T>().transposedLaplacian(view(), range);
}

template class Smoothness<float>;
template class Smoothness<double>;

} // namespace skincells::loss
