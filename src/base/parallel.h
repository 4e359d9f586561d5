// Parallel loops over fixed chunks, so that results never depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <tbb/parallel_for.h>

namespace skincells {

// Calls body(begin, end, chunk) for consecutive chunks of at most `chunk_size` elements that cover [0, count).
// Chunk borders depend only on the arguments.
template <class Body> void parallelChunks(std::size_t count, std::size_t chunk_size, const Body& body) {
  const std::size_t chunks = (count + chunk_size - 1) / chunk_size;
  const auto run = [&](std::size_t c) { body(c * chunk_size, std::min(count, (c + 1) * chunk_size), c); };
  if (chunks <= 1) {
    if (chunks == 1) run(0);
    return;
  }
  tbb::parallel_for(std::size_t{0}, chunks, run);
}

// Sum over chunks: term(begin, end) of every chunk in parallel, then all of them added in order.
template <class Value, class Term>
Value orderedSum(std::size_t count, std::size_t chunk_size, Value zero, const Term& term) {
  std::vector<Value> partial((count + chunk_size - 1) / chunk_size, zero);
  parallelChunks(count, chunk_size, [&](std::size_t b, std::size_t e, std::size_t c) { partial[c] = term(b, e); });
  Value sum = zero;
  for (const Value& p : partial) sum += p;
  return sum;
}

} // namespace skincells
