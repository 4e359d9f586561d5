#include "viz/page/loss_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "text/table.h"

namespace skincells::page {
namespace {

constexpr int kWidth = 720, kHeight = 260;
constexpr int kLeft = 64, kRight = 16, kTop = 14, kBottom = 30; // margins
constexpr double kTextSize = 9;
constexpr double kSmallest = 1e-12; // a loss of 0 has no logarithm

using Color = std::array<std::uint8_t, 4>;
constexpr Color kBlue{0, 114, 178, 255}, kOrange{213, 94, 0, 255}, kGrid{223, 227, 232, 255};

double logOf(double value) {
  return std::log10(std::max(value, kSmallest));
}

class Plot {
public:
  Plot(int last_step, double lo, double hi)
      : last_step_(std::max(last_step, 1)), lo_(lo), hi_(hi), image_(kWidth, kHeight) {
    std::fill(image_.rgba.begin(), image_.rgba.end(), std::uint8_t{255});
    drawGrid();
  }

  double x(double step) const { return kLeft + step / last_step_ * (kWidth - kLeft - kRight - 1); }
  double y(double value) const { return kTop + (hi_ - logOf(value)) / (hi_ - lo_) * (kHeight - kTop - kBottom - 1); }

  void disc(double at_x, double at_y, double radius, const Color& color) {
    const int reach = static_cast<int>(std::ceil(radius)), cx = static_cast<int>(std::lround(at_x)),
              cy = static_cast<int>(std::lround(at_y));
    for (int row = cy - reach; row <= cy + reach; ++row)
      for (int column = cx - reach; column <= cx + reach; ++column)
        if (std::hypot(column - cx, row - cy) <= radius) put(column, row, color);
  }
  void line(double x0, double y0, double x1, double y1, const Color& color) {
    const int steps = 1 + static_cast<int>(2 * std::max(std::fabs(x1 - x0), std::fabs(y1 - y0)));
    for (int i = 0; i <= steps; ++i) {
      const double t = static_cast<double>(i) / steps;
      disc(x0 + t * (x1 - x0), y0 + t * (y1 - y0), 1, color);
    }
  }
  Image take() { return std::move(image_); }

private:
  void put(int column, int row, const Color& color) {
    if (column < 0 || column >= kWidth || row < 0 || row >= kHeight) return;
    std::copy(color.begin(), color.end(), image_.pixel(column, row));
  }
  void drawGrid() {
    const Rgb ink = rgbFromSrgb(91, 100, 112);
    for (int power = static_cast<int>(std::floor(lo_)); power <= static_cast<int>(std::ceil(hi_)); ++power)
      for (int digit : {1, 2, 5}) {
        const double value = digit * std::pow(10.0, power);
        if (logOf(value) < lo_ || logOf(value) > hi_) continue;
        const int row = static_cast<int>(std::lround(y(value)));
        for (int column = kLeft; column < kWidth - kRight; ++column) put(column, row, kGrid);
        const std::string text = text::significant(value, 1);
        drawText(image_, text, kLeft - 8 - textWidth(text, kTextSize), row - kTextSize / 2, kTextSize, ink);
      }
    const std::string last = "step " + std::to_string(last_step_);
    const double below = kHeight - kBottom + 10;
    drawText(image_, "0", kLeft, below, kTextSize, ink);
    drawText(image_, last, kWidth - kRight - textWidth(last, kTextSize), below, kTextSize, ink);
  }

  int last_step_;
  double lo_, hi_; // logarithms at the lower and the upper border
  Image image_;
};

} // namespace

bool isDrawable(const LossCurve& curve) {
  const auto finite = [](double v) { return std::isfinite(v); };
  return curve.values.size() > 1 && std::all_of(curve.values.begin(), curve.values.end(), finite);
}

Image lossPlot(const LossCurve& curve) {
  double lo = logOf(curve.values.front()), hi = lo;
  const auto include = [&](double value) { lo = std::min(lo, logOf(value)), hi = std::max(hi, logOf(value)); };
  for (double value : curve.values) include(value);
  for (const HeldOutLoss& h : curve.held_out)
    if (std::isfinite(h.loss)) include(h.loss);
  const double margin = std::max(0.02, 0.05 * (hi - lo));
  Plot plot(static_cast<int>(curve.values.size()) - 1, lo - margin, hi + margin);
  for (std::size_t i = 1; i < curve.values.size(); ++i)
    plot.line(plot.x(static_cast<double>(i - 1)), plot.y(curve.values[i - 1]), plot.x(static_cast<double>(i)),
              plot.y(curve.values[i]), kBlue);
  for (const HeldOutLoss& h : curve.held_out)
    if (std::isfinite(h.loss)) plot.disc(plot.x(h.step), plot.y(h.loss), 4, kOrange);
  return plot.take();
}

} // namespace skincells::page
