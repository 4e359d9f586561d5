#include "viz/page/loss_plot.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>

namespace skincells::report {
namespace {

// The mean row of the pixels of a color in some columns, or -1.
double rowOf(const Image& image, int first_column, int last_column, std::array<int, 3> color) {
  double sum = 0, count = 0;
  for (int x = first_column; x < last_column; ++x)
    for (int y = 0; y < image.height; ++y) {
      const std::uint8_t* p = image.pixel(x, y);
      if (p[0] != color[0] || p[1] != color[1] || p[2] != color[2]) continue;
      sum += y;
      ++count;
    }
  return count > 0 ? sum / count : -1;
}

constexpr std::array kBlue{0, 114, 178}, kOrange{213, 94, 0};

LossCurve falling() {
  LossCurve curve;
  for (int i = 0; i < 50; ++i) curve.values.push_back(100.0 / (1 + i));
  return curve;
}

TEST(LossPlot, FallsFromLeftToRight) {
  const Image image = page::lossPlot(falling());
  const double left = rowOf(image, 60, 80, kBlue), right = rowOf(image, image.width - 40, image.width, kBlue);
  EXPECT_GE(left, 0);
  EXPECT_GT(right, left + image.height / 2.0) << "rows count downwards";
  EXPECT_EQ(rowOf(image, 0, image.width, kOrange), -1);
}

TEST(LossPlot, ShowsTheHeldOutLossWhereItWasWatched) {
  LossCurve curve = falling();
  curve.held_out = {{25, 50.0}};
  const Image image = page::lossPlot(curve);
  const int middle = (64 + image.width - 17) / 2;
  EXPECT_GE(rowOf(image, middle - 12, middle + 12, kOrange), 0);
  EXPECT_LT(rowOf(image, middle - 12, middle + 12, kOrange), rowOf(image, middle - 12, middle + 12, kBlue));
}

TEST(LossPlot, DrawsFlatAndVanishingLosses) {
  LossCurve curve;
  curve.values = {3, 3, 3};
  EXPECT_GE(rowOf(page::lossPlot(curve), 60, 700, kBlue), 0);
  curve.values = {1, 0, 1e-300};
  EXPECT_GE(rowOf(page::lossPlot(curve), 60, 700, kBlue), 0);
}

TEST(LossPlot, KnowsWhatCannotBeDrawn) {
  LossCurve curve;
  EXPECT_FALSE(page::isDrawable(curve));
  curve.values = {1};
  EXPECT_FALSE(page::isDrawable(curve));
  curve.values = {1, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(page::isDrawable(curve));
  curve.values = {1, 2};
  EXPECT_TRUE(page::isDrawable(curve));
}

} // namespace
} // namespace skincells::report
