// Smoothness (DeltaMush as a loss): posed detail should be rest detail, turned with the surface.
//
//   1/P sum |(L X)_v - B_v (L X_rest)_v|^2
//
// L is the uniform one-ring Laplacian (mean of the neighbors minus x), B the rotation from the rest frame to the
// posed frame of a vertex, both made from the area-weighted normal and one edge. B counts as constant in the
// gradient: differentiating through it made one character in four diverge.
#pragma once

#include <span>
#include <vector>

#include "kernels/smoothness.h"
#include "skincells/mesh.h"

namespace skincells::loss {

template <class T> class Smoothness {
public:
  // A welded mesh at rest. `tangent_reference` names for each vertex the neighbor that its frame looks to; by
  // default the one that leads farthest along the surface. Vertices without neighbors or without a frame at rest
  // (all their triangles without area) have no part in the loss.
  Smoothness(std::span<const Vec3<T>> rest, std::span<const Triangle> triangles,
             std::vector<std::uint32_t> tangent_reference = {});

  // The two phases for the vertices [begin, end) in four poses, arrays as [vertex][axis 3][pose 4]. First the value,
  // and `force`, the derivative in L X; `lane_weight` multiplies each pose's part.
  T measure(std::size_t begin, std::size_t end, const T* posed, const T* lane_weight, T* force) const;
  // Then, when all forces are there: posed_gradient = the derivative in X.
  void gradient(std::size_t begin, std::size_t end, const T* force, T* posed_gradient) const;

  // (L X_rest)_v.
  Vec3<T> restLaplacian(std::size_t v) const { return rest_laplacian_[v]; }

private:
  void findRings(std::size_t vertex_count, std::span<const Triangle> triangles);
  void findFans(std::span<const Triangle> triangles);
  std::uint32_t placeInRing(std::uint32_t v, std::uint32_t neighbor) const;
  void measureRest(std::span<const Vec3<T>> rest, const std::vector<std::uint32_t>& tangent_reference);
  kernels::SmoothnessViewOf<T> view() const;

  std::vector<std::uint32_t> ring_begin_, ring_, fan_begin_, fan_, reference_;
  std::vector<T> inverse_degree_, rest_detail_;
  std::vector<Vec3<T>> rest_laplacian_;
  std::size_t most_neighbors_ = 0;
};

} // namespace skincells::loss
