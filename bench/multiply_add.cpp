// Not a kernel of the library, but the yardstick for them; hence the one Highway file outside src/kernels.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "multiply_add.cpp"
#include <hwy/foreach_target.h> // before highway.h, and so in a group of its own

#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include "multiply_add.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::bench {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Ten independent chains hide the latency of two multiply-adds per cycle. Returns the operations per turn.
std::size_t Spin(std::size_t turns, float* out) {
  const hn::ScalableTag<float> d;
  const auto a = hn::Set(d, 0.999F), b = hn::Set(d, 1e-3F);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0, s8 = s0, s9 = s0;
  for (std::size_t i = 0; i < turns; ++i) {
    s0 = hn::MulAdd(s0, a, b), s1 = hn::MulAdd(s1, a, b), s2 = hn::MulAdd(s2, a, b), s3 = hn::MulAdd(s3, a, b);
    s4 = hn::MulAdd(s4, a, b), s5 = hn::MulAdd(s5, a, b), s6 = hn::MulAdd(s6, a, b), s7 = hn::MulAdd(s7, a, b);
    s8 = hn::MulAdd(s8, a, b), s9 = hn::MulAdd(s9, a, b);
  }
  const auto sum = hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)),
                           hn::Add(hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)), hn::Add(s8, s9)));
  *out = hn::GetLane(hn::SumOfLanes(d, sum));
  return 2 * 10 * hn::Lanes(d);
}

} // namespace HWY_NAMESPACE
} // namespace skincells::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::bench {

HWY_EXPORT(Spin);

double multiplyAddRate(int threads, int rounds) {
  constexpr std::size_t kTurns = 4000000; // some ten milliseconds
  double best = 0;
  for (int round = 0; round < rounds; ++round) {
    std::atomic<int> waiting{threads};
    std::atomic<std::size_t> operations{0};
    const auto work = [&] {
      float sink = 0;
      --waiting;
      while (waiting > 0) { // all start together
      }
      operations += kTurns * HWY_DYNAMIC_DISPATCH(Spin)(kTurns, &sink);
    };
    std::vector<std::jthread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(work);
    while (waiting > 1) {
    }
    const auto start = std::chrono::steady_clock::now();
    work();
    others.clear();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(operations) / seconds.count());
  }
  return best;
}

} // namespace skincells::bench
#endif
