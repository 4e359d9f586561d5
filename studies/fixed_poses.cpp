#include "rig/motion/pose_batches.h"

#include <algorithm>

#include "base/assert.h"
#include "base/random.h"

namespace skincells::rig {
namespace {

constexpr int kDrawn = 4;                // poses at a time: what `draw` mixes within a step must reach the set
constexpr int kBeyondTraining = 1 << 20; // no run takes so many steps, no set has so many poses

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

fit::PoseSampler fromFixedSet(fit::PoseSampler draw, int set_size, std::uint64_t seed) {
  SKINCELLS_ASSERT(set_size > 0 && set_size < kBeyondTraining);
  // Poses are made again whenever they are wanted: keeping a thousand of them for a thousand joints would cost more.
  return [draw = std::move(draw), set_size, seed](int step, int count) {
    std::vector<Pose> poses;
    const Random random(seed, static_cast<std::uint64_t>(step));
    for (int i : choose(std::min(count, set_size), set_size, random))
      poses.push_back(std::move(draw(i / kDrawn, kDrawn)[static_cast<std::size_t>(i % kDrawn)]));
    return poses;
  };
}

std::vector<Pose> heldOutPoses(const fit::PoseSampler& draw, int count) {
  return draw(kBeyondTraining, count);
}

} // namespace skincells::rig
