// Smoothness (DeltaMush as a loss): posed detail should be rest detail, rotated with the surface.
//
//   1/P sum |(L X)_v - B_v (L X_rest)_v|^2
//
// L is the uniform one-ring Laplacian (mean of the neighbors minus x), B the rotation from the rest frame to the posed
// frame of a vertex. A frame is built from the area-weighted normal and one edge. B counts as constant in the gradient:
// with its derivative, one character in four diverged.
#pragma once

#include <span>
#include <vector>

#include "kernels/quad_range.h"
#include "kernels/smoothness.h"
#include "skincells/mesh.h"

namespace skincells::loss {

template <class T> class Smoothness {
public:
  // A welded mesh at rest. `tangent_reference` is, for each vertex, the neighbor whose edge its frame uses; by default
  // the one whose edge is longest in the tangent plane. Vertices without neighbors or without a rest frame (all their
  // triangles have zero area) do not contribute.
  Smoothness(std::span<const Vec3<T>> rest, std::span<const Triangle> triangles,
             std::vector<std::uint32_t> tangent_reference = {});

  // The derivative at a vertex depends on its neighbors, so there are two phases. First, for every range: the value,
  // each pose multiplied by its lane weight. Writes range.force, the derivative in L X.
  T measure(const kernels::QuadRange<T>& range, const T* lane_weight) const;
  // Then, once all forces are known: sets range.posed_gradient to the derivative in X.
  void setGradient(const kernels::QuadRange<T>& range) const;

  // (L X_rest)_v.
  Vec3<T> restLaplacian(std::size_t v) const { return rest_laplacian_[v]; }

private:
  void findRings(std::size_t vertex_count, std::span<const Triangle> triangles);
  void findFans(std::span<const Triangle> triangles);
  // Position of the neighbor in the ring of v.
  std::uint32_t placeInRing(std::uint32_t v, std::uint32_t neighbor) const;
  void measureRest(std::span<const Vec3<T>> rest, const std::vector<std::uint32_t>& tangent_reference);
  kernels::SmoothnessView<T> view() const;

  // See kernels::SmoothnessView.
  std::vector<std::uint32_t> ring_begin_, ring_, fan_begin_, fan_, reference_;
  std::vector<T> inverse_degree_, rest_detail_;
  std::vector<Vec3<T>> rest_laplacian_;
  std::size_t max_degree_ = 0;
};

} // namespace skincells::loss
