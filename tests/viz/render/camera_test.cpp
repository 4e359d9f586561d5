#include <gtest/gtest.h>

#include "base/random.h"
#include "viz/render/projection.h"
#include "viz/render/scenes.h"

namespace skincells {
namespace {

constexpr View kViews[] = {View::Front, View::ThreeQuarter, View::Side, View::Back, View::Top};

TEST(FrameCamera, ShowsAllPointsAndWastesNoRoom) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    std::vector<Vec3f> points(30);
    const double wide = random.uniform(0.1, 5), high = random.uniform(0.1, 5), deep = random.uniform(0.1, 5);
    for (Vec3f& p : points)
      p = toFloat({random.uniform(-wide, wide) + 7, random.uniform(-high, high), random.uniform(-deep, deep) - 3});
    for (View view : kViews)
      for (const Orientation& o : {Orientation{}, Orientation{{0, 0, 1}, {0, -1, 0}}}) {
        const Camera camera = frameCamera(points, view, o, 1.5, 0.1);
        const render::Projection projection = render::makeProjection(camera, 300, 200);
        double left = 300, right = 0, top = 200, bottom = 0;
        for (const Vec3f& p : points) {
          const Vec3f v = projection.toView(p);
          EXPECT_GT(v.z, 0);
          left = std::fmin(left, projection.pictureX(v)), right = std::fmax(right, projection.pictureX(v));
          top = std::fmin(top, projection.pictureY(v)), bottom = std::fmax(bottom, projection.pictureY(v));
        }
        EXPECT_GE(left, 30 - 0.1);
        EXPECT_LE(right, 270 + 0.1);
        EXPECT_GE(top, 20 - 0.1);
        EXPECT_LE(bottom, 180 + 0.1);
        EXPECT_TRUE(right - left > 239 || bottom - top > 159); // touches two opposite borders
      }
  }
}

TEST(FrameCamera, LooksFromTheNamedSide) {
  const Mesh ball = test::sphere(1, 9, 12);
  const auto eye = [&](View v) { return normalized(frameCamera(ball.positions, v, {}).eye); };
  EXPECT_GT(eye(View::Front).z, 0.9);
  EXPECT_LT(eye(View::Back).z, -0.9);
  EXPECT_GT(eye(View::Side).x, 0.9); // the figure's left
  EXPECT_GT(eye(View::Top).y, 0.9);
  EXPECT_GT(eye(View::ThreeQuarter).x, 0.4);
  EXPECT_GT(eye(View::ThreeQuarter).z, 0.4);
}

TEST(FrameCamera, DefaultWithoutPoints) {
  EXPECT_TRUE(isFinite(frameCamera({}, View::Front, {}).eye));
}

Character namedJoints(const std::vector<std::pair<const char*, Vec3d>>& joints) {
  Character c;
  for (const auto& [name, place] : joints) {
    Joint joint;
    joint.name = name;
    joint.bind = Affine::fromTranslation(place);
    c.skeleton.joints.push_back(joint);
    c.mesh.positions.push_back(toFloat(place));
  }
  return c;
}

// Joints of a standing figure in y up, z forward; `turned` puts it into other axes.
Character standing(const Affine& turned) {
  std::vector<std::pair<const char*, Vec3d>> joints = {{"Hips", {0, 1, 0}},
                                                       {"Head", {0, 1.7, 0.02}},
                                                       {"LeftFoot", {0.1, 0.1, -0.05}},
                                                       {"RightFoot", {-0.1, 0.1, -0.05}},
                                                       {"LeftToe", {0.1, 0.02, 0.1}},
                                                       {"RightToe", {-0.1, 0.02, 0.1}},
                                                       {"LeftHand", {0.7, 1.4, 0}},
                                                       {"RightHand", {-0.7, 1.4, 0}}};
  for (auto& [name, place] : joints) place = turned.apply(place);
  return namedJoints(joints);
}

void expectOrientation(const Character& c, const Vec3d& up, const Vec3d& forward) {
  const Orientation guess = guessOrientation(c.skeleton, c.mesh.bounds());
  EXPECT_LT(length(guess.up - up), 1e-6);
  EXPECT_LT(length(guess.forward - forward), 1e-6);
}

TEST(GuessOrientation, ReadsTheAxesOffTheJoints) {
  for (const Affine& turned : {Affine{}, Affine::rotation({1, 0, 0}, M_PI / 2), Affine::rotation({0, 1, 0}, M_PI / 2),
                               Affine::rotation({1, 0, 0}, M_PI), Affine::rotation({0, 0, 1}, -M_PI / 2)})
    expectOrientation(standing(turned), turned.applyLinear({0, 1, 0}), turned.applyLinear({0, 0, 1}));
}

// Without toes or a tail, only left and right distinguish the front from the back.
TEST(GuessOrientation, ReadsTheFrontOffTheSides) {
  for (double facing : {1.0, -1.0}) {
    const Character c = namedJoints({{"Hips", {0, 1, 0}},
                                     {"Head", {0, 1.7, -0.02 * facing}}, // carried behind the hips
                                     {"Hand.L", {0.7 * facing, 1.4, 0}},
                                     {"Hand.R", {-0.7 * facing, 1.4, 0}},
                                     {"Foot.L", {0.1 * facing, 0, 0}},
                                     {"Foot.R", {-0.1 * facing, 0, 0}}});
    expectOrientation(c, {0, 1, 0}, {0, 0, facing});
    EXPECT_TRUE(guessOrientation(c.skeleton, c.mesh.bounds()).up_known);
  }
  const Character tube = test::tubeCharacter();
  EXPECT_FALSE(guessOrientation(tube.skeleton, tube.mesh.bounds()).up_known);
}

TEST(GuessOrientation, KeepsTheDefaultWhereNamesTellNothing) {
  expectOrientation(test::tubeCharacter(), {0, 1, 0}, {0, 0, 1});
  expectOrientation({}, {0, 1, 0}, {0, 0, 1});
}

} // namespace
} // namespace skincells
