// Arguments of the location and sparsity losses; T is float or double.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skincells::kernels {

inline constexpr std::size_t kSpringNumbers = 5;

// Springs of vertex v: [begin[v], begin[v + 1]).
template <class T> struct SpringView {
  const std::uint32_t* begin = nullptr;
  const std::uint32_t* joint = nullptr;
  const T* numbers = nullptr; // by spring: the anchor at rest, the rest length l, 1 / (l + softening)
};

// The tail of a row: its weights other than the max_influences largest. Of equal weights, that of the lower joint
// counts as larger.
template <class T> struct TailLimits {
  std::size_t max_influences = 0; // 1 .. 8
  T min_tail = 0;                 // rows whose tail sums to no more than this are skipped
};

} // namespace skincells::kernels
