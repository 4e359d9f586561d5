#include "transfer/align.h"

#include <numbers>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/shapes.h"

namespace skincells::transfer {
namespace {

std::vector<Vec3d> cloud(int count) {
  Random random(3);
  std::vector<Vec3d> points;
  for (int i = 0; i < count; ++i)
    points.push_back({random.uniform(-1, 1), random.uniform(0, 2), random.uniform(-0.3, 0.3)});
  return points;
}

std::vector<Vec3d> moved(const std::vector<Vec3d>& points, const Affine& map) {
  std::vector<Vec3d> out;
  for (const Vec3d& p : points) out.push_back(map.apply(p));
  return out;
}

Affine similarity(const Vec3d& axis, double angle, double scale, const Vec3d& shift) {
  Affine map = Affine::rotation(axis, angle);
  for (auto& row : map.m)
    for (double& value : row) value *= scale;
  map.m[0][3] = shift.x, map.m[1][3] = shift.y, map.m[2][3] = shift.z;
  return map;
}

void expectSame(const Affine& a, const Affine& b, double tolerance) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(a.m[r][c], b.m[r][c], tolerance) << r << c;
}

constexpr double kQuarter = std::numbers::pi / 2;

TEST(Align, EqualPositionsGiveExactlyTheIdentity) {
  const auto points = cloud(12);
  auto rounded = points;
  for (Vec3d& p : rounded) p = toDouble(toFloat(p));
  EXPECT_EQ(alignPoints(points, rounded).field_from_mesh, Affine{});
}

TEST(Align, UnitsAndUpAxes) {
  const auto points = cloud(12);
  for (const Affine& map : {similarity({1, 0, 0}, 0, 100, {}), similarity({1, 0, 0}, kQuarter, 0.01, {}),
                            similarity({1, 0, 0}, -kQuarter, 1, {}), similarity({0, 1, 0}, 2 * kQuarter, 1, {5, 0, 1}),
                            similarity({1, 2, 3}, 0.7, 2.54, {0.1, 0.2, 0.3})}) {
    const Alignment found = alignPoints(points, moved(points, map));
    expectSame(found.field_from_mesh, map, 1e-9 * 100);
    EXPECT_LT(found.residual_percent, 1e-6);
    EXPECT_NEAR(found.scale, std::cbrt(map.determinant()), 1e-9);
  }
}

// Joints on a line do not determine the rotation about it: the simplest one is chosen.
TEST(Align, LinesAndSinglePoints) {
  const std::vector<Vec3d> line{{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 4, 0}};
  expectSame(alignPoints(line, moved(line, similarity({1, 0, 0}, 0, 100, {}))).field_from_mesh,
             similarity({1, 0, 0}, 0, 100, {}), 1e-9);
  expectSame(alignPoints(line, moved(line, similarity({1, 0, 0}, kQuarter, 1, {}))).field_from_mesh,
             similarity({1, 0, 0}, kQuarter, 1, {}), 1e-9);
  const std::vector<Vec3d> one{{1, 2, 3}}, there{{4, 5, 6}};
  expectSame(alignPoints(one, there).field_from_mesh, Affine::fromTranslation({3, 3, 3}), 1e-12);
}

// Rounding errors perpendicular to the line do not determine it either.
TEST(Align, ARotationMustBeClearlyBetterThanASimplerOne) {
  const std::vector<Vec3d> line{{0, 0, 0}, {1e-4, 1, 0}, {0, 2, 0}, {0, 4, 0}};
  std::vector<Vec3d> there = moved(line, similarity({1, 0, 0}, 0, 100, {}));
  there[1].x = -2e-4; // a half turn about the line would be slightly better
  EXPECT_NEAR(alignPoints(line, there).rotation_degrees, 0, 1e-6);
  there[1].x = -1e-2; // a half turn about the line is clearly better
  EXPECT_NEAR(alignPoints(line, there).rotation_degrees, 180, 1e-6);
}

TEST(Align, AnotherBodyIsRejectedAndTheWorstJointNamed) {
  const auto points = cloud(12);
  auto other = points;
  other[4] += {3, 0, 0};
  std::vector<std::string> names(points.size(), "bone");
  names[4] = "tail";
  const auto refused = checkAlignment(alignPoints(points, other), points, other, names, "b.glb");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Mismatch);
  EXPECT_NE(refused.error().message.find("'tail'"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find("--align none"), std::string::npos);
  EXPECT_TRUE(checkAlignment(alignPoints(points, points), points, points, names, "b.glb"));
}

} // namespace
} // namespace skincells::transfer
