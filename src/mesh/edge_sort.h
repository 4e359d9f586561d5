// Sorting edges by their vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace skincells::mesh {

// Sorts by (a, b); equal edges keep their order. In time proportional to their number, because few edges share a
// vertex. E has vertices a and b.
template <class E> void sortByVertices(std::vector<E>& edges) {
  std::size_t vertices = 0;
  for (const E& e : edges) vertices = std::max(vertices, std::size_t{e.a} + 1);
  std::vector<std::uint32_t> begin(vertices + 2, 0); // of a's edges, at [a + 1] while they are placed
  for (const E& e : edges) ++begin[e.a + std::size_t{2}];
  for (std::size_t a = 2; a < begin.size(); ++a) begin[a] += begin[a - 1];
  std::vector<E> sorted(edges.size());
  for (const E& e : edges) sorted[begin[e.a + std::size_t{1}]++] = e;
  const auto less = [](const E& x, const E& y) { return x.b < y.b; };
  constexpr std::ptrdiff_t kFew = 32;
  for (std::size_t a = 0; a < vertices; ++a) {
    const auto first = sorted.begin() + begin[a], last = sorted.begin() + begin[a + 1];
    if (last - first > kFew) {
      std::stable_sort(first, last, less);
      continue;
    }
    for (auto i = first; i != last; ++i)
      for (auto k = i; k != first && less(*k, *(k - 1)); --k) std::swap(*k, *(k - 1));
  }
  edges = std::move(sorted);
}

} // namespace skincells::mesh
