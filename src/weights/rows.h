// Weight rows of any length, for the optimizer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "skincells/weights.h"

namespace skincells::weights {

// Row v is the entries [first[v], first[v] + count[v]); its joints are distinct. Rows and joints are in no particular
// order.
template <class T> struct WeightRowsOf {
  std::vector<std::uint32_t> first, count; // by vertex
  std::vector<std::uint16_t> joint;        // by entry
  std::vector<T> weight;                   // by entry

  std::size_t vertexCount() const { return first.size(); }
  std::size_t entryCount() const { return weight.size(); }
};
using WeightRows = WeightRowsOf<float>;

} // namespace skincells::weights
