#include "viz/render/orientation.h"

#include <gtest/gtest.h>

namespace skincells::render {
namespace {

// The vertices and their mirror images across the plane x = 0.
Character withVertices(const std::vector<Vec3f>& positions) {
  Character c;
  for (const Vec3f& p : positions) {
    c.mesh.positions.push_back(p);
    c.mesh.positions.push_back({-p.x, p.y, p.z});
  }
  Joint joint;
  joint.name = "joint1";
  c.skeleton.joints.push_back(joint);
  return c;
}

// Legs at 0.3, feet that reach from `heel` to `toe`, a head on top.
Character tall(float heel, float toe) {
  return withVertices(
      {{0.2f, 0, heel}, {0.2f, 0, toe}, {0.2f, 0.3f, -0.1f}, {0.2f, 0.3f, 0.1f}, {0, 2, -0.2f}, {0, 2, 0.2f}});
}

// A body along z with its head at `head`.
Character longBody(float head) {
  return withVertices({{0.2f, 0, -0.8f}, {0.2f, 0, 0.8f}, {0, 0.6f, -1}, {0, 0.6f, 1}, {0, 1, head}, {0, 0.9f, head}});
}

TEST(OrientationOf, FeetStickOutInFront) {
  EXPECT_EQ(orientationOf(tall(-0.1f, 0.3f), 'y').forward.z, 1);
  EXPECT_EQ(orientationOf(tall(-0.3f, 0.1f), 'y').forward.z, -1);
}

TEST(OrientationOf, LongBodiesCarryTheirHeadInFront) {
  EXPECT_EQ(orientationOf(longBody(0.9f), 'y').forward.z, 1);
  EXPECT_EQ(orientationOf(longBody(-0.9f), 'y').forward.z, -1);
}

TEST(OrientationOf, NamesBeatTheShape) {
  Character c = tall(-0.3f, 0.1f);
  c.skeleton.joints.clear();
  for (const auto& [name, place] :
       {std::pair{"Left Hand", Vec3d{0.7, 1, 0}}, std::pair{"Right Hand", Vec3d{-0.7, 1, 0}}}) {
    Joint joint;
    joint.name = name;
    joint.bind = Affine::fromTranslation(place);
    c.skeleton.joints.push_back(joint);
  }
  EXPECT_EQ(orientationOf(c, 'y').forward.z, 1);
}

TEST(OrientationOf, StaysAtTheDefaultWithoutAHint) {
  EXPECT_EQ(orientationOf(tall(-0.2f, 0.2f), 'y').forward.z, 1);
  EXPECT_EQ(orientationOf(withVertices({}), 'y').forward.z, 1);
}

} // namespace
} // namespace skincells::render
