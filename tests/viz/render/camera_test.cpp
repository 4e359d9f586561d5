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

} // namespace
} // namespace skincells
