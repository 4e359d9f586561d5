// Seeded random numbers that are the same on every platform, which std distributions do not guarantee.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "skincells/math.h"

namespace skincells {

// PCG32 (O'Neill 2014): small, fast, statistically sound.
class Random {
public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : increment_((stream << 1U) | 1U) {
    nextBits();
    state_ += seed;
    nextBits();
  }

  std::uint32_t nextBits() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ULL + increment_;
    const auto shifted = static_cast<std::uint32_t>(((old >> 18U) ^ old) >> 27U);
    const auto rotation = static_cast<std::uint32_t>(old >> 59U);
    return (shifted >> rotation) | (shifted << ((32U - rotation) & 31U));
  }
  // Uniform in [0, 1).
  double uniform() { return nextBits() * 0x1p-32; }
  double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }
  // Uniform in [0, count), count > 0.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(nextBits()) * count) >> 32U);
  }
  // Uniform on the unit sphere.
  Vec3d direction() {
    const double z = uniform(-1, 1), a = uniform(0, 2 * std::numbers::pi), r = std::sqrt(std::fmax(0.0, 1 - z * z));
    return {r * std::cos(a), r * std::sin(a), z};
  }

private:
  std::uint64_t state_ = 0, increment_;
};

} // namespace skincells
