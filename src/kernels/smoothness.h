// The mesh as the smoothness loss sees it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skincells::kernels {

inline constexpr std::uint32_t kNoFrame = 0xFFFFFFFFU;

// The `begin` arrays delimit the neighbors and the fan of each vertex and have one entry more than there are vertices;
// T is float or double.
template <class T> struct SmoothnessView {
  const std::uint32_t* ring_begin = nullptr;
  const std::uint32_t* ring = nullptr;      // neighbors
  const std::uint32_t* fan_begin = nullptr; // in triangles
  const std::uint32_t* fan = nullptr;       // two per triangle (v, a, b): positions of a and b in v's ring
  const std::uint32_t* reference = nullptr; // position of the frame's reference neighbor in the ring; kNoFrame: skip v
  const T* inverse_degree = nullptr;
  const T* rest_detail = nullptr; // 3 numbers per vertex: the rest Laplacian in the rest frame (t, n x t, n)
};

} // namespace skincells::kernels
