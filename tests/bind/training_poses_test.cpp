#include "bind/training_poses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rig/motion/pose_sampler.h"
#include "support/shapes.h"

namespace skincells::binding {
namespace {

std::vector<int> allJoints(const Character& c) {
  std::vector<int> joints(c.skeleton.joints.size());
  std::iota(joints.begin(), joints.end(), 0);
  return joints;
}

BindOptions drawn(TrainingPoses poses, std::uint64_t seed = 0) {
  BindOptions options;
  options.poses = poses;
  options.seed = seed;
  return options;
}

TEST(ChoosePoses, ClipPosesAreThoseOfTheClips) {
  const Character c = test::humanoidWithClips();
  const std::vector<int> deforming{3, 1};
  const auto source = choosePoses(c, deforming, drawn(TrainingPoses::Clips));
  ASSERT_TRUE(source);
  EXPECT_EQ(source->poses, "clips");
  for (const Pose& pose : source->batches(5, 8)) {
    ASSERT_EQ(pose.size(), 2U);
    EXPECT_TRUE(std::any_of(c.clip_poses.begin(), c.clip_poses.end(),
                            [&](const Pose& p) { return pose[0] == p[3] && pose[1] == p[1]; }));
  }
}

TEST(ChoosePoses, RangesAreDrawnFrom) {
  const Character c = test::humanoidWithClips();
  BindOptions options = drawn(TrainingPoses::Ranges, 4);
  options.rom = "generic";
  const auto source = choosePoses(c, allJoints(c), options);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->poses, "ranges");
  const rig::PoseSampler sampler(c.skeleton, std::vector<JointRange>(c.skeleton.joints.size()), 4);
  EXPECT_EQ(source->batches(2, 3), (std::vector<Pose>{sampler.pose(128), sampler.pose(129), sampler.pose(130)}));
}

TEST(ChoosePoses, TheSameStepGivesTheSamePoses) {
  const Character c = test::humanoidWithClips();
  for (TrainingPoses poses : {TrainingPoses::Ranges, TrainingPoses::Clips}) {
    const auto a = choosePoses(c, allJoints(c), drawn(poses, 1));
    const auto b = choosePoses(c, allJoints(c), drawn(poses, 1));
    ASSERT_TRUE(a && b);
    static_cast<void>(b->batches(3, 2));
    EXPECT_EQ(a->batches(7, 4), b->batches(7, 4));
  }
}

TEST(ChoosePoses, ClipsMustBeThereAndFit) {
  Character c = test::humanoidWithClips();
  c.clip_poses[1].pop_back();
  const auto unfit = choosePoses(c, allJoints(c), {});
  ASSERT_FALSE(unfit);
  EXPECT_EQ(unfit.error().code, ErrorCode::Mismatch);
  c.clip_poses.clear();
  EXPECT_TRUE(choosePoses(c, allJoints(c), {}));
  const auto none = choosePoses(c, allJoints(c), drawn(TrainingPoses::Clips));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::InvalidOption);
  EXPECT_EQ(none.error().where, "--training-poses");
}

TEST(HeldOutPoses, AreNeverTrainedOn) {
  const fit::PoseBatches numbered = [](int step, int count) {
    std::vector<Pose> poses;
    for (int p = 0; p < count; ++p) poses.push_back({Affine::fromTranslation({64.0 * step + p, 0, 0})});
    return poses;
  };
  const std::vector<Pose> held_out = heldOutPoses(numbered, 8);
  ASSERT_EQ(held_out.size(), 8U);
  EXPECT_GT(held_out[0][0].translation().x, 64.0 * 100000 + 63) << "beyond any run";
}

} // namespace
} // namespace skincells::binding
