#include <gtest/gtest.h>

#include <fstream>

#include <nlohmann/json.hpp>

#include "skincells/rig.h"
#include "support/files.h"
#include "support/shapes.h"

namespace skincells {
namespace {

TEST(Poses, WithoutRotationsIsTheBindPose) {
  const Skeleton s = test::chain(4, 2);
  for (const Affine& a : poseFromTurns(s, std::vector<Affine>(4))) EXPECT_EQ(a, Affine{});
}

TEST(Poses, ChildrenFollowTheirParents) {
  const Skeleton s = test::chain(2, 2); // at y = 0 and y = 1
  std::vector<Affine> turns(2);
  turns[0] = Affine::rotation({0, 0, 1}, M_PI / 2);
  const Pose pose = poseFromTurns(s, turns);
  EXPECT_NEAR(length(pose[1].apply({0, 2, 0}) - Vec3d{-2, 0, 0}), 0, 1e-12);
}

TEST(Poses, ParentsMayComeAfterChildren) {
  Skeleton s = test::chain(3, 3);
  std::swap(s.joints[0], s.joints[2]); // now 0 is the tip: parents 1, 2, none
  s.joints[0].parent = 1;
  s.joints[1].parent = 2;
  s.joints[2].parent = kNoParent;
  EXPECT_EQ(parentFirstOrder(s), (std::vector<int>{2, 1, 0}));
}

TEST(Poses, RandomPosesAreReproducible) {
  const Skeleton s = test::chain(5, 1);
  RandomPoseOptions options;
  options.seed = 7;
  EXPECT_EQ(randomPoses(s, options), randomPoses(s, options));
  RandomPoseOptions other = options;
  other.seed = 8;
  EXPECT_NE(randomPoses(s, options), randomPoses(s, other));
}

TEST(Poses, KinematicsMatchTheGoldenVectors) {
  SKINCELLS_NEEDS_SHARED();
  std::ifstream in(test::sharedFolder() / "golden" / "rig.json");
  const auto golden = nlohmann::json::parse(in);
  Skeleton s;
  const auto& positions = golden.at("joint_positions");
  for (std::size_t j = 0; j < positions.size(); ++j) {
    Joint joint;
    joint.parent = golden.at("parent")[j].get<int>();
    joint.bind = Affine::fromTranslation({positions[j][0], positions[j][1], positions[j][2]});
    s.joints.push_back(joint);
  }
  constexpr double kRadians = M_PI / 180;
  for (std::size_t p = 0; p < golden.at("poses").size(); ++p) {
    std::vector<Affine> turns;
    for (const auto& angles : golden.at("angles_degrees_xyz")[p])
      turns.push_back(Affine::rotation({0, 0, 1}, angles[2].get<double>() * kRadians) *
                      Affine::rotation({0, 1, 0}, angles[1].get<double>() * kRadians) *
                      Affine::rotation({1, 0, 0}, angles[0].get<double>() * kRadians));
    const Pose pose = poseFromTurns(s, turns);
    for (std::size_t j = 0; j < pose.size(); ++j)
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 4; ++c)
          EXPECT_NEAR(pose[j].m[r][c], golden.at("poses")[p][j][r][c].get<double>(), 1e-10) << p << " " << j;
  }
}

} // namespace
} // namespace skincells
