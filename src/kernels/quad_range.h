// Vertices in four poses at once, the argument that all loops over poses share.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skincells::kernels {

inline constexpr std::size_t kQuad = 4;        // poses side by side
inline constexpr std::size_t kQuadMatrix = 48; // numbers per joint: [column 4][row 3][pose 4]
inline constexpr std::size_t kQuadVector = 12; // numbers per vertex: [axis 3][pose 4]

// Row v is the entries [first[v], first[v] + count[v]).
template <class T> struct RowView {
  const std::uint32_t* first = nullptr;
  const std::uint32_t* count = nullptr;
  const std::uint16_t* joint = nullptr; // by entry
  const T* weight = nullptr;            // by entry
};

// The vertices [begin, end) of a mesh in four poses. Arrays start at vertex 0 and hold kQuadVector numbers per vertex
// unless noted. A kernel needs only the arrays that its contract names.
template <class T> struct QuadRange {
  std::size_t begin = 0, end = 0;
  RowView<T> rows = {};
  const T* rest = nullptr;      // 3 numbers per vertex
  const T* matrices = nullptr;  // kQuadMatrix numbers per joint
  T* posed = nullptr;           // positions
  T* force = nullptr;           // derivative in the Laplacian of `posed`
  T* posed_gradient = nullptr;  // derivative in `posed`
  T* weight_gradient = nullptr; // by entry of the rows
};

} // namespace skincells::kernels
