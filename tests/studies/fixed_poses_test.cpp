#include "studies/fixed_poses.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace skincells::studies {
namespace {

// Distinct poses: pose p of step s moves by 64 s + p.
std::vector<Pose> numbered(int step, int count) {
  std::vector<Pose> poses;
  for (int p = 0; p < count; ++p) poses.push_back({Affine::fromTranslation({64.0 * step + p, 0, 0})});
  return poses;
}
double numberOf(const Pose& pose) {
  return pose[0].translation().x;
}

TEST(FixedPoseSet, StepsTakeDifferentPosesOfOneSet) {
  const fit::PoseBatches set = fromFixedSet(numbered, 24, 5);
  std::set<double> seen;
  for (int step = 0; step < 50; ++step) {
    std::set<double> here;
    for (const Pose& pose : set(step, 16)) here.insert(numberOf(pose));
    EXPECT_EQ(here.size(), 16U) << step;
    seen.insert(here.begin(), here.end());
  }
  EXPECT_EQ(seen.size(), 24U);
}

TEST(FixedPoseSet, DependsOnSeedAndStepAlone) {
  const auto numbers = [](const std::vector<Pose>& poses) {
    std::vector<double> out;
    for (const Pose& p : poses) out.push_back(numberOf(p));
    return out;
  };
  const fit::PoseBatches a = fromFixedSet(numbered, 1024, 1), b = fromFixedSet(numbered, 1024, 2);
  EXPECT_EQ(numbers(a(7, 16)), numbers(a(7, 16)));
  EXPECT_NE(numbers(a(7, 16)), numbers(a(8, 16)));
  EXPECT_NE(numbers(a(7, 16)), numbers(b(7, 16)));
}

TEST(FixedPoseSet, SmallerThanAStep) {
  EXPECT_EQ(fromFixedSet(numbered, 3, 0)(0, 16).size(), 3U);
}

} // namespace
} // namespace skincells::studies
