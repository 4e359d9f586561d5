#include "rig/joint_places.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/shapes.h"

namespace skincells::rig {
namespace {

TEST(JointPlaces, FindTheSameAsLookingAtAll) {
  Skeleton skeleton;
  Random random(7, 0);
  for (int j = 0; j < 300; ++j) // some in one place
    test::addJoint(skeleton, "joint", kNoParent,
                   {double(random.below(5)), double(random.below(5)), random.uniform(0, 5)});
  std::vector<int> all(300);
  std::iota(all.begin(), all.end(), 0);
  std::ranges::reverse(all);
  const JointPlaces places(skeleton, all);
  for (double reach : {0.0, 0.3, 1.0, 100.0})
    for (int j = 0; j < 300; j += 17) {
      std::vector<int> expected;
      for (int o : all)
        if (length(skeleton.bindPosition(o) - skeleton.bindPosition(j)) <= reach) expected.push_back(o);
      EXPECT_EQ(places.near(skeleton.bindPosition(j), reach), expected);
    }
}

TEST(JointPlaces, OfNoJoints) {
  EXPECT_TRUE(JointPlaces(Skeleton{}, {}).near({}, 1).empty());
}

} // namespace
} // namespace skincells::rig
