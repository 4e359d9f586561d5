#include "viz/page/loss_plot.h"

#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

namespace skincells::page {
namespace {

struct Point {
  double x, y;
};

// The points of the curve.
std::vector<Point> pointsOf(const std::string& svg) {
  const std::string before = "points=\"";
  const char* at = svg.c_str() + svg.find(before) + before.size();
  std::vector<Point> points;
  while (*at != '"') {
    char* end = nullptr;
    const double x = std::strtod(at, &end);
    const double y = std::strtod(end + 1, &end);
    points.push_back({x, y});
    at = *end == ' ' ? end + 1 : end;
  }
  return points;
}

double attribute(const std::string& svg, const std::string& name) {
  const std::string before = name + "=\"";
  const std::size_t at = svg.find(before);
  return at == std::string::npos ? -1 : std::strtod(svg.c_str() + at + before.size(), nullptr);
}

LossCurve falling() {
  LossCurve curve;
  for (int i = 0; i < 50; ++i) curve.values.push_back(100.0 / (1 + i));
  return curve;
}

TEST(LossPlot, FallsFromLeftToRight) {
  const std::string svg = lossPlot(falling());
  const auto points = pointsOf(svg);
  ASSERT_EQ(points.size(), 50U);
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_GT(points[i].x, points[i - 1].x);
    EXPECT_GT(points[i].y, points[i - 1].y) << "y points downward";
  }
  EXPECT_EQ(svg.find("<circle"), std::string::npos);
  EXPECT_NE(svg.find(">step 49<"), std::string::npos) << svg;
}

TEST(LossPlot, ShowsTheHeldOutLossAtItsStep) {
  LossCurve curve = falling();
  curve.held_out = {{25, 50.0}, {30, std::numeric_limits<double>::infinity()}};
  const std::string svg = lossPlot(curve);
  const auto points = pointsOf(svg);
  EXPECT_NEAR(attribute(svg, "cx"), points[25].x, 0.11);
  EXPECT_LT(attribute(svg, "cy"), points[25].y);
  EXPECT_EQ(svg.find("<circle"), svg.rfind("<circle"));
}

TEST(LossPlot, DrawsFlatAndVanishingLosses) {
  LossCurve curve;
  for (const std::vector<double>& values : std::vector<std::vector<double>>{{3, 3, 3}, {1, 0, 1e-300}}) {
    curve.values = values;
    for (const Point& p : pointsOf(lossPlot(curve))) {
      EXPECT_TRUE(p.x >= 0 && p.x <= 720) << p.x;
      EXPECT_TRUE(p.y >= 0 && p.y <= 260) << p.y;
    }
  }
}

TEST(LossPlot, NeedsTwoFiniteValues) {
  LossCurve curve;
  EXPECT_FALSE(isDrawable(curve));
  curve.values = {1};
  EXPECT_FALSE(isDrawable(curve));
  curve.values = {1, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(isDrawable(curve));
  curve.values = {1, 2};
  EXPECT_TRUE(isDrawable(curve));
}

} // namespace
} // namespace skincells::page
