#include "skincells/progress.h"

#include <gtest/gtest.h>

namespace skincells {
namespace {

TEST(Progress, HasNoLossAndNoEstimateUnlessGiven) {
  const Progress plain{"fit", 0.25};
  EXPECT_FALSE(plain.loss);
  EXPECT_FALSE(plain.seconds_left);
  const Progress full{"fit", 0.25, 3.5, 10.0};
  EXPECT_EQ(full.loss, 3.5);
  EXPECT_EQ(full.seconds_left, 10.0);
}

} // namespace
} // namespace skincells
