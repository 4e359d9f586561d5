#include <numbers>

#include <gtest/gtest.h>

#include "skincells/character.h"
#include "skincells/rig.h"
#include "support/shapes.h"

namespace skincells {
namespace {

Orientation guess(const Character& c) {
  return guessOrientation(c.skeleton, c.mesh.bounds());
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
  const Orientation found = guess(c);
  EXPECT_LT(length(found.up - up), 1e-6);
  EXPECT_LT(length(found.forward - forward), 1e-6);
}

TEST(GuessOrientation, FindsTheAxesFromJoints) {
  for (const Affine& turned :
       {Affine{}, Affine::rotation({1, 0, 0}, std::numbers::pi / 2), Affine::rotation({0, 1, 0}, std::numbers::pi / 2),
        Affine::rotation({1, 0, 0}, std::numbers::pi), Affine::rotation({0, 0, 1}, -std::numbers::pi / 2)})
    expectOrientation(standing(turned), turned.applyLinear({0, 1, 0}), turned.applyLinear({0, 0, 1}));
}

// Without toes or a tail, only left and right distinguish front and back.
TEST(GuessOrientation, FindsTheFrontFromSides) {
  for (double facing : {1.0, -1.0}) {
    const Character c = namedJoints({{"Hips", {0, 1, 0}},
                                     {"Head", {0, 1.7, -0.02 * facing}}, // carried behind the hips
                                     {"Hand.L", {0.7 * facing, 1.4, 0}},
                                     {"Hand.R", {-0.7 * facing, 1.4, 0}},
                                     {"Foot.L", {0.1 * facing, 0, 0}},
                                     {"Foot.R", {-0.1 * facing, 0, 0}}});
    expectOrientation(c, {0, 1, 0}, {0, 0, facing});
    EXPECT_TRUE(guess(c).up_known);
  }
  EXPECT_FALSE(guess(test::tubeCharacter()).up_known);
}

TEST(GuessOrientation, KeepsTheDefaultWithoutUsefulNames) {
  expectOrientation(test::tubeCharacter(), {0, 1, 0}, {0, 0, 1});
  expectOrientation({}, {0, 1, 0}, {0, 0, 1});
}

} // namespace
} // namespace skincells
