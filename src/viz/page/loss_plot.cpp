#include "viz/page/loss_plot.h"

#include <algorithm>
#include <cmath>

#include "text/table.h"

namespace skincells::page {
namespace {

constexpr int kWidth = 720, kHeight = 260;
constexpr int kLeftMargin = 64, kRightMargin = 16, kTopMargin = 14, kBottomMargin = 30;
constexpr double kSmallestLoss = 1e-12; // a loss of 0 has no logarithm

double logOf(double value) {
  return std::log10(std::max(value, kSmallestLoss));
}

std::string number(double value) {
  return text::fixed(value, 1);
}

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" + text + "</text>\n";
}

// Steps and losses as places in the picture.
class Axes {
public:
  explicit Axes(const LossCurve& curve) : last_step_(static_cast<int>(curve.values.size()) - 1) {
    lo_ = hi_ = logOf(curve.values.front());
    for (double value : curve.values) include(value);
    for (const HeldOutLoss& h : curve.held_out)
      if (std::isfinite(h.loss)) include(h.loss);
    const double margin = std::max(0.02, 0.05 * (hi_ - lo_));
    lo_ -= margin;
    hi_ += margin;
  }

  double x(double step) const { return kLeftMargin + step / last_step_ * (kWidth - kLeftMargin - kRightMargin); }
  double y(double value) const {
    return kTopMargin + (hi_ - logOf(value)) / (hi_ - lo_) * (kHeight - kTopMargin - kBottomMargin);
  }

  // Lines at 1, 2 and 5 times the powers of ten, and the first and last step.
  std::string grid() const {
    std::string out;
    for (int power = static_cast<int>(std::floor(lo_)); power <= static_cast<int>(std::ceil(hi_)); ++power)
      for (int digit : {1, 2, 5}) {
        const double value = digit * std::pow(10.0, power);
        if (logOf(value) < lo_ || logOf(value) > hi_) continue;
        const std::string row = number(y(value));
        out += "<line x1=\"" + number(kLeftMargin) + "\" x2=\"" + number(kWidth - kRightMargin) + "\" y1=\"" + row +
               "\" y2=\"" + row + "\"></line>\n" +
               label(kLeftMargin - 8, y(value) + 4, "end", text::significant(value, 4));
      }
    constexpr double kBaseline = kHeight - 8;
    return out + label(kLeftMargin, kBaseline, "start", "0") +
           label(kWidth - kRightMargin, kBaseline, "end", "step " + std::to_string(last_step_));
  }

private:
  void include(double value) {
    lo_ = std::min(lo_, logOf(value));
    hi_ = std::max(hi_, logOf(value));
  }

  int last_step_;
  double lo_ = 0, hi_ = 0; // logarithms at the lower and the upper border
};

} // namespace

bool isDrawable(const LossCurve& curve) {
  return curve.values.size() > 1 && std::ranges::all_of(curve.values, [](double v) { return std::isfinite(v); });
}

std::string lossPlot(const LossCurve& curve) {
  const Axes axes(curve);
  std::string line, dots;
  for (std::size_t i = 0; i < curve.values.size(); ++i)
    line += (i == 0 ? "" : " ") + number(axes.x(static_cast<double>(i))) + "," + number(axes.y(curve.values[i]));
  for (const HeldOutLoss& h : curve.held_out)
    if (std::isfinite(h.loss))
      dots += "<circle cx=\"" + number(axes.x(h.step)) + "\" cy=\"" + number(axes.y(h.loss)) + "\" r=\"4\"></circle>\n";
  return "<svg class=\"plot\" viewBox=\"0 0 " + std::to_string(kWidth) + " " + std::to_string(kHeight) +
         "\" aria-hidden=\"true\">\n" + axes.grid() + "<polyline points=\"" + line + "\"></polyline>\n" + dots +
         "</svg>\n";
}

} // namespace skincells::page
