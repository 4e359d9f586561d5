#include <algorithm>
#include <array>

#include "base/assert.h"
#include "skincells/weights.h"

namespace skincells {

void quantizeRow(std::span<const float> row, std::uint32_t total, std::span<std::uint32_t> out) {
  SKINCELLS_ASSERT(row.size() == out.size() && row.size() <= 64);
  double sum = 0;
  for (float w : row) sum += w;
  std::array<double, 64> remainder{};
  std::array<std::size_t, 64> order{};
  std::uint32_t used = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double exact = row[k] / sum * total;
    out[k] = std::min(total, static_cast<std::uint32_t>(exact));
    remainder[k] = exact - out[k];
    order[k] = k;
    used += out[k];
  }
  // Rounding down leaves fewer than row.size() units. They go to the largest remainders, never to empty slots.
  std::stable_sort(order.begin(), order.begin() + row.size(),
                   [&](std::size_t a, std::size_t b) { return remainder[a] > remainder[b]; });
  for (std::size_t i = 0; used < total; i = (i + 1) % row.size()) {
    if (!(row[order[i]] > 0)) continue;
    ++out[order[i]];
    ++used;
  }
}

} // namespace skincells
