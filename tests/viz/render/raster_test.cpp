#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"
#include "viz/render/raster.h"
#include "viz/render/scenes.h"

namespace skincells::render {
namespace {

Projection unitProjection(int size) {
  return makeProjection(test::unitCamera(), size, size);
}

Visibility draw(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles, int size = 16) {
  const Projection projection = unitProjection(size);
  return rasterize(toViewSpace(positions, projection), triangles, projection);
}

int seenCount(const Visibility& seen, std::uint32_t triangle) {
  return static_cast<int>(std::count(seen.triangle.begin(), seen.triangle.end(), triangle));
}

TEST(Rasterize, CoversExactlyTheSamplesInside) {
  // Legs along x = -1 and y = -1 of length 2: samples with centers at -0.875, -0.625, ... below the diagonal x + y = 0.
  const Visibility seen = draw({{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}}, {{0, 1, 2}});
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x) {
      const double px = (x + 0.5) / 4 - 2, py = 2 - (y + 0.5) / 4;
      if (px + py == 0) continue; // on the edge
      const bool inside = px > -1 && py > -1 && px + py < 0;
      EXPECT_EQ(seen.triangle[seen.index(x, y)] == 0, inside) << x << " " << y;
    }
}

TEST(Rasterize, DrawsBothSides) {
  EXPECT_EQ(draw({{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}}, {{0, 1, 2}}).triangle,
            draw({{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}}, {{0, 2, 1}}).triangle);
}

TEST(Rasterize, NeighborsShareNoSampleAndLeaveNoGap) {
  Random random(7);
  for (int round = 0; round < 50; ++round) {
    const Vec3f middle{static_cast<float>(random.uniform(-1, 1)), static_cast<float>(random.uniform(-1, 1)), 0};
    const std::vector<Vec3f> p{{-1.5f, -1.5f, 0}, {1.5f, -1.5f, 0}, {1.5f, 1.5f, 0}, {-1.5f, 1.5f, 0}, middle};
    int sum = 0;
    for (std::uint32_t side = 0; side < 4; ++side) sum += seenCount(draw(p, {{side, (side + 1) % 4, 4}}), 0);
    EXPECT_EQ(sum, 12 * 12);
  }
}

TEST(Rasterize, NearerHidesFartherInEitherOrder) {
  const std::vector<Vec3f> p{{-2, -2, 0}, {2, -2, 0}, {0, 2, 0}, {-2, -2, 1}, {2, -2, 1}, {0, 2, 1}};
  const Visibility a = draw(p, {{0, 1, 2}, {3, 4, 5}}), b = draw(p, {{3, 4, 5}, {0, 1, 2}});
  EXPECT_EQ(seenCount(a, 0), 0);
  EXPECT_GT(seenCount(a, 1), 50);
  EXPECT_EQ(seenCount(b, 0), seenCount(a, 1));
}

TEST(Rasterize, InterpenetratingTrianglesSplitAtTheirLine) {
  // A wall at z = 0 and a sheet that passes through it where x = 0.
  const Visibility seen =
      draw({{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}, {-2, -2, -1}, {2, -2, 1}, {2, 2, 1}, {-2, 2, -1}},
           {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}});
  for (int y = 1; y < 15; ++y) {
    EXPECT_LT(seen.triangle[seen.index(6, y)], 2U);
    EXPECT_GE(seen.triangle[seen.index(9, y)], 2U);
  }
}

TEST(Rasterize, OfEqualDepthTheFirstWins) {
  const std::vector<Vec3f> p{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  EXPECT_EQ(seenCount(draw(p, {{0, 1, 2}, {0, 1, 2}}), 1), 0);
}

TEST(Rasterize, CutsOffWhatIsBehindTheEye) {
  // A floor from far in front of the eye to far behind it: seen in the lower half only.
  const Visibility seen = draw({{-50, -1, -50}, {50, -1, -50}, {0, -1, 200}}, {{0, 1, 2}});
  EXPECT_EQ(seen.triangle[seen.index(8, 15)], 0U);
  EXPECT_EQ(seen.triangle[seen.index(8, 7)], kNothing);
  EXPECT_EQ(seenCount(draw({{-1, -1, 12}, {1, -1, 12}, {0, 1, 12}}, {{0, 1, 2}}), 0), 0);
}

TEST(Rasterize, LeavesOutWhatHasNoArea) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const std::vector<Vec3f> p{{-1, -1, 0}, {1, 1, 0}, {0, 0, 0}, {nan, 0, 0}, {0, inf, 0}};
  const Visibility seen = draw(p, {{0, 0, 0}, {0, 1, 1}, {0, 1, 2}, {0, 1, 3}, {0, 1, 4}});
  EXPECT_EQ(seenCount(seen, kNothing), 256);
}

TEST(Rasterize, DepthIsThatOfTheSurface) {
  const Projection projection = unitProjection(64);
  const std::vector<Vec3f> p = toViewSpace(std::vector<Vec3f>{{-2, -2, 3}, {2, -2, -4}, {0, 2, 1}}, projection);
  const std::vector<Triangle> triangles{{0, 1, 2}};
  const Visibility seen = rasterize(p, triangles, projection);
  const Vec3f normal = cross(p[1] - p[0], p[2] - p[0]);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      if (seen.triangle[seen.index(x, y)] == kNothing) continue;
      const float depth = dot(normal, p[0]) / dot(normal, projection.rayAt(x + 0.5, y + 0.5));
      EXPECT_NEAR(1 / seen.inverse_depth[seen.index(x, y)], depth, 0.02);
    }
}

} // namespace
} // namespace skincells::render
