// The inner loops of the smoothness loss, four poses at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skincells::kernels {

// A mesh as the loss sees it. Neighbors and fans of vertex v are the ranges that the begin arrays give (one more
// entry than vertices); T is float or double.
template <class T> struct SmoothnessViewOf {
  const std::uint32_t* ring_begin = nullptr;
  const std::uint32_t* ring = nullptr;      // neighbors
  const std::uint32_t* fan_begin = nullptr; // in triangles
  const std::uint32_t* fan = nullptr;       // two per triangle (v, a, b): places of a and b in v's ring
  const std::uint32_t* reference = nullptr; // place of the frame's reference neighbor in the ring; kNoFrame: skip v
  const T* inverse_degree = nullptr;
  const T* rest_detail = nullptr; // 3 per vertex: the rest Laplacian in the rest frame (t, n x t, n)
};
using SmoothnessView = SmoothnessViewOf<float>;

inline constexpr std::uint32_t kNoFrame = 0xFFFFFFFFU;

// For v in [begin, end): with residual = (mean of the ring - x) - frame * rest_detail, writes
// force[v] = 2 lane_weight * residual ([axis 3][pose 4]) and returns the sum of lane_weight * |residual|^2.
// The frame is that of `posed`: n = the fans' area-weighted normal, t = the reference edge made orthogonal to it.
// `scratch` has room for 12 numbers per neighbor of any vertex.
float smoothnessForces(const SmoothnessView& mesh, std::size_t begin, std::size_t end, const float* posed,
                       const float* lane_weight, float* scratch, float* force);

// posed_gradient[v] = the transposed Laplacian of `force` at v, for v in [begin, end).
void transposedLaplacian(const SmoothnessView& mesh, std::size_t begin, std::size_t end, const float* force,
                         float* posed_gradient);

// The definitions, for float and double.
namespace scalar {
template <class T>
T smoothnessForces(const SmoothnessViewOf<T>& mesh, std::size_t begin, std::size_t end, const T* posed,
                   const T* lane_weight, T* scratch, T* force);
template <class T>
void transposedLaplacian(const SmoothnessViewOf<T>& mesh, std::size_t begin, std::size_t end, const T* force,
                         T* posed_gradient);
} // namespace scalar

} // namespace skincells::kernels
