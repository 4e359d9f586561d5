// The one finite-difference checker that tests of derivatives share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace skincells::test {

// Compares `gradient` with central differences of `value` at `at`, for every `stride`-th number. An entry may be off
// by `tolerance` of the largest entry.
inline void checkGradient(const std::function<double(const std::vector<double>&)>& value, std::vector<double> at,
                          const std::vector<double>& gradient, double step, double tolerance, std::size_t stride = 1) {
  ASSERT_EQ(at.size(), gradient.size());
  double largest = 0;
  for (double g : gradient) largest = std::max(largest, std::abs(g));
  ASSERT_GT(largest, 0) << "a gradient of zeros proves nothing";
  for (std::size_t i = 0; i < at.size(); i += stride) {
    const double here = at[i];
    at[i] = here + step;
    const double above = value(at);
    at[i] = here - step;
    const double below = value(at);
    at[i] = here;
    EXPECT_NEAR((above - below) / (2 * step), gradient[i], tolerance * largest) << "entry " << i;
  }
}

} // namespace skincells::test
