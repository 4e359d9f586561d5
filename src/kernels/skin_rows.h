// Linear blend skinning of weight rows in four poses at once, and its derivative in the weights.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skincells::kernels {

inline constexpr std::size_t kQuad = 4;        // poses side by side
inline constexpr std::size_t kQuadMatrix = 48; // floats per joint: [column 4][row 3][pose 4]
inline constexpr std::size_t kQuadVector = 12; // floats per vertex: [axis 3][pose 4]

// Row v is the entries [first[v], first[v] + count[v]).
template <class T> struct RowViewOf {
  const std::uint32_t* first = nullptr;
  const std::uint32_t* count = nullptr;
  const std::uint16_t* joint = nullptr; // by entry
  const T* weight = nullptr;            // by entry
};
using RowView = RowViewOf<float>;

// posed[v] = sum over the row of weight * (matrix of the joint) * rest[v], for v in [begin, end).
void skinRows(const RowView& rows, std::size_t begin, std::size_t end, const float* rest, const float* matrices,
              float* posed);

// weight_gradient[e] += <posed_gradient[v], matrix of e's joint * rest[v]> for the entries e of rows [begin, end).
void skinRowsGradient(const RowView& rows, std::size_t begin, std::size_t end, const float* rest, const float* matrices,
                      const float* posed_gradient, float* weight_gradient);

// The definitions, for float and double.
namespace scalar {
template <class T>
void skinRows(const RowViewOf<T>& rows, std::size_t begin, std::size_t end, const T* rest, const T* matrices, T* posed);
template <class T>
void skinRowsGradient(const RowViewOf<T>& rows, std::size_t begin, std::size_t end, const T* rest, const T* matrices,
                      const T* posed_gradient, T* weight_gradient);
} // namespace scalar

} // namespace skincells::kernels
