#include "studies/fixed_poses.h"

#include <algorithm>

#include "base/assert.h"
#include "base/random.h"

namespace skincells::studies {
namespace {

constexpr int kBatch = 4; // poses drawn at a time

// `count` different numbers below `size` (Floyd's algorithm).
std::vector<int> choose(int count, int size, Random random) {
  std::vector<int> chosen;
  for (int i = size - count; i < size; ++i) {
    const int candidate = static_cast<int>(random.below(static_cast<std::uint32_t>(i + 1)));
    const bool taken = std::find(chosen.begin(), chosen.end(), candidate) != chosen.end();
    chosen.push_back(taken ? i : candidate);
  }
  return chosen;
}

} // namespace

fit::PoseBatches fromFixedSet(fit::PoseBatches draw, int set_size, std::uint64_t seed) {
  SKINCELLS_ASSERT(set_size > 0);
  // Poses are drawn again whenever they are needed: storing a thousand of them for a thousand joints costs more.
  return [draw = std::move(draw), set_size, seed](int step, int count) {
    std::vector<Pose> poses;
    const Random random(seed, static_cast<std::uint64_t>(step));
    for (int i : choose(std::min(count, set_size), set_size, random))
      poses.push_back(std::move(draw(i / kBatch, kBatch)[static_cast<std::size_t>(i % kBatch)]));
    return poses;
  };
}

} // namespace skincells::studies
