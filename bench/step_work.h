// How much arithmetic an optimization step is.
#pragma once

#include <cstddef>

namespace skincells::bench {

// Float operations of one step that evaluates everything: every site of every joint at every vertex, every joint's
// weight in every pose. An addition, multiplication, comparison, division, root, exponential or logarithm counts as
// one, and only what the formulas of the method need counts; bounds, lists and copies do not.
//
//   per site and vertex      23   L x + b (12), its square (5), rounding off below t (5), minimum (1)
//   per joint and vertex     12   max(c, D - d) / d (4), log, times r, softmax (4), K + 1 smallest (2)
//                            24   per pose: blending its matrix
//                            24   per pose: derivative in its weight
//                            45   derivative of weight and distance (15), sums for its site (30)
//   per vertex and pose     150   applying the blended matrix (18), outer product (9), one-ring of six neighbors and
//                                 its transpose (90), frame (33)
//                            30   spring
inline double stepOperations(std::size_t vertices, std::size_t joints, std::size_t sites, std::size_t poses) {
  const auto v = static_cast<double>(vertices), j = static_cast<double>(joints), s = static_cast<double>(sites);
  const auto p = static_cast<double>(poses);
  return v * (j * (23 * s + 12 + 48 * p + 45) + p * 180);
}

} // namespace skincells::bench
