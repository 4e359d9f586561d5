#include "guess/cut_chains.h"

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace skincells::guess {
namespace {

Mesh moved(Mesh mesh, const Vec3f& by) {
  for (Vec3f& p : mesh.positions) p += by;
  return mesh;
}

// Two legs; the feet hang on the root.
struct Legs {
  Legs() {
    test::addJoint(skeleton, "root", kNoParent, {0, 0, 0});
    test::addJoint(skeleton, "hips", 0, {0, 95, 0});
    for (double side : {1.0, -1.0}) {
      const std::string end = side > 0 ? ".L" : ".R";
      test::addJoint(skeleton, "thigh" + end, 1, {20 * side, 90, 0});
      test::addJoint(skeleton, "shin" + end, skeleton.find("thigh" + end), {20 * side, 60, 0});
      test::addJoint(skeleton, "foot" + end, 0, {20 * side, 10, 0});
    }
  }
  void place(const std::string& joint, const Vec3d& at) {
    skeleton.joints[skeleton.find(joint)].bind = Affine::fromTranslation(at);
  }
  std::string parentAfterJoining(const std::string& joint) const {
    const Mesh legs =
        test::joined(moved(test::tube(100, 5, 20, 12), {20, 0, 0}), moved(test::tube(100, 5, 20, 12), {-20, 0, 0}));
    const GuessScene scene(legs);
    Skeleton placed = scene.place(skeleton);
    joinCutChains(placed, {placed, deforming, misplaced}, scene);
    return placed.joints[placed.joints[placed.find(joint)].parent].name;
  }
  Skeleton skeleton;
  std::vector<int> deforming{1, 2, 3, 4, 5, 6, 7}, misplaced;
};

TEST(CutChains, FeetOnTheRootHangOnTheShinsInstead) {
  const Legs legs;
  EXPECT_EQ(legs.parentAfterJoining("foot.L"), "shin.L");
  EXPECT_EQ(legs.parentAfterJoining("foot.R"), "shin.R");
  EXPECT_EQ(legs.parentAfterJoining("shin.L"), "thigh.L");
}

TEST(CutChains, NothingIsJoinedAcrossEmptySpaceOrFarAwayOrBackward) {
  for (const Vec3d& foot : {Vec3d{40, 10, 0}, Vec3d{20, -60, 0}, Vec3d{20, 85, 0}}) {
    Legs legs;
    legs.place("foot.L", foot);
    EXPECT_EQ(legs.parentAfterJoining("foot.L"), "root") << foot.x << ' ' << foot.y;
    EXPECT_EQ(legs.parentAfterJoining("foot.R"), "shin.R");
  }
}

TEST(CutChains, PlaceholdersAndLimbsThatGoOnStay) {
  Legs legs;
  legs.misplaced = {legs.skeleton.find("foot.L")};
  EXPECT_EQ(legs.parentAfterJoining("foot.L"), "root");
  Legs complete;
  test::addJoint(complete.skeleton, "ankle.L", complete.skeleton.find("shin.L"), {20, 12, 0});
  complete.deforming.push_back(8);
  EXPECT_EQ(complete.parentAfterJoining("foot.L"), "ankle.L");
  EXPECT_EQ(complete.parentAfterJoining("ankle.L"), "shin.L");
}

} // namespace
} // namespace skincells::guess
