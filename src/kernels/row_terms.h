// The inner loops of the location and sparsity losses, four poses at once. Arrays are [vertex][axis 3][pose 4] unless
// said otherwise, matrices as in skin_rows.h; T is float or double.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/skin_rows.h"

namespace skincells::kernels {

inline constexpr std::size_t kSpringNumbers = 5;

// Springs of vertex v: [begin[v], begin[v + 1]).
template <class T> struct SpringViewOf {
  const std::uint32_t* begin = nullptr;
  const std::uint32_t* joint = nullptr;
  const T* numbers = nullptr; // by spring: the anchor at rest, the rest length l, 1 / (l + softening)
};
using SpringView = SpringViewOf<float>;

// For the springs of the vertices [begin, end), with stretch = (|x - anchor| - l) / (l + softening): returns the sum of
// lane_weight * stretch^2 and adds its derivative to posed_gradient.
float addSprings(const SpringView& springs, std::size_t begin, std::size_t end, const float* posed,
                 const float* matrices, const float* lane_weight, float* posed_gradient);

// For the rows [begin, end) whose weights beyond the max_influences (up to 8) largest sum to more than least_tail, with
// off = posed - (the largest weights, divided by their sum, of the joints' positions): returns the sum of
// lane_weight * |off|^2 and adds its derivative, the part through `posed` to posed_gradient, the part through the
// largest weights to weight_gradient. Of equal weights that of the lower joint counts as larger.
float addTails(const RowView& rows, int max_influences, float least_tail, std::size_t begin, std::size_t end,
               const float* rest, const float* matrices, const float* posed, const float* lane_weight,
               float* posed_gradient, float* weight_gradient);

// The definitions, for float and double.
namespace scalar {
template <class T>
T addSprings(const SpringViewOf<T>& springs, std::size_t begin, std::size_t end, const T* posed, const T* matrices,
             const T* lane_weight, T* posed_gradient);
template <class T>
T addTails(const RowViewOf<T>& rows, int max_influences, T least_tail, std::size_t begin, std::size_t end,
           const T* rest, const T* matrices, const T* posed, const T* lane_weight, T* posed_gradient,
           T* weight_gradient);
} // namespace scalar

} // namespace skincells::kernels
