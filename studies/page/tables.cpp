#include "studies/page/tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>

#include "skincells/viz/text.h"

namespace skincells::studies {
namespace {

constexpr double kTextSize = 8;
const Rgb kInk = rgbFromSrgb(40, 44, 52), kGrid = rgbFromSrgb(214, 218, 224);

void setPixel(Image& image, int x, int y, Rgb c) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  const auto encoded = [](float v) {
    const double s =
        v <= 0.0031308F ? 12.92 * static_cast<double>(v) : 1.055 * std::pow(static_cast<double>(v), 1 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(s, 0.0, 1.0)));
  };
  std::uint8_t* p = image.pixel(x, y);
  p[0] = encoded(c.r), p[1] = encoded(c.g), p[2] = encoded(c.b), p[3] = 255;
}

void drawLine(Image& image, double x0, double y0, double x1, double y1, double width, Rgb c) {
  const double steps = std::ceil(2 * std::max(std::abs(x1 - x0), std::abs(y1 - y0))) + 1;
  const int r = static_cast<int>(width / 2);
  for (double s = 0; s <= steps; ++s) {
    const int x = static_cast<int>(std::lround(x0 + (x1 - x0) * s / steps)),
              y = static_cast<int>(std::lround(y0 + (y1 - y0) * s / steps));
    for (int dx = -r; dx <= r; ++dx)
      for (int dy = -r; dy <= r; ++dy) setPixel(image, x + dx, y + dy, c);
  }
}

Rgb seriesColor(std::size_t i) {
  static const Rgb kColors[] = {rgbFromSrgb(31, 119, 180), rgbFromSrgb(214, 96, 20),  rgbFromSrgb(44, 140, 60),
                                rgbFromSrgb(180, 40, 90),  rgbFromSrgb(120, 90, 180), rgbFromSrgb(110, 110, 110)};
  return kColors[i % std::size(kColors)];
}

// One axis of a plot.
struct Axis {
  double lo = INFINITY, hi = -INFINITY;
  bool logarithmic = false;

  double place(double v) const { return ((logarithmic ? std::log10(v) : v) - lo) / (hi - lo); }
  bool shows(double v) const { return std::isfinite(v) && (!logarithmic || v > 0); }
  void add(double v) {
    if (!shows(v)) return;
    const double at = logarithmic ? std::log10(v) : v;
    lo = std::min(lo, at);
    hi = std::max(hi, at);
  }
  void finish() {
    if (!(hi > lo)) hi = lo + 1;
    const double margin = 0.04 * (hi - lo);
    lo -= logarithmic || lo > 0 ? margin : 0;
    hi += margin;
    if (!logarithmic && lo > 0 && lo < 0.4 * hi) lo = 0;
  }
  std::vector<double> ticks() const {
    std::vector<double> out;
    if (logarithmic) {
      for (double e = std::ceil(lo - 1); e <= hi; ++e)
        for (double f : hi - lo > 2.2 ? std::vector<double>{1} : std::vector<double>{1, 2, 5})
          if (const double at = e + std::log10(f); at >= lo && at <= hi) out.push_back(f * std::pow(10, e));
      return out;
    }
    const double raw = (hi - lo) / 5, magnitude = std::pow(10, std::floor(std::log10(raw)));
    double step = magnitude;
    for (double f : {1.0, 2.0, 5.0, 10.0})
      if (step = f * magnitude; step >= raw) break;
    for (double v = std::ceil(lo / step) * step; v <= hi; v += step) out.push_back(std::abs(v) < step / 2 ? 0 : v);
    return out;
  }
};

std::string tickText(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", v);
  return text;
}

} // namespace

std::string number(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

Table::Table(const std::vector<std::string>& head) {
  add(head);
  for (std::size_t c = 0; c < head.size(); ++c) text_ += c == 0 ? "|---" : "|--:";
  text_ += "|\n";
}

void Table::add(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) text_ += "| " + cell + " ";
  text_ += "|\n";
}

Image linePlot(const std::vector<Series>& series, const PlotOptions& options) {
  constexpr double kLeft = 62, kRight = 12, kTop = 28, kBottom = 40;
  Image image(options.width, options.height);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) setPixel(image, x, y, rgbFromSrgb(255, 255, 255));
  Axis ax{.logarithmic = options.log_x}, ay{.logarithmic = options.log_y};
  for (const Series& s : series)
    for (std::size_t i = 0; i < s.x.size(); ++i)
      if (ax.shows(s.x[i]) && ay.shows(s.y[i])) {
        ax.add(s.x[i]);
        ay.add(s.y[i]);
      }
  ax.finish();
  ay.finish();
  const double w = image.width - kLeft - kRight, h = image.height - kTop - kBottom;
  const auto px = [&](double v) { return kLeft + w * ax.place(v); };
  const auto py = [&](double v) { return kTop + h * (1 - ay.place(v)); };
  for (double t : ax.ticks()) {
    drawLine(image, px(t), kTop, px(t), kTop + h, 1, kGrid);
    drawText(image, tickText(t), px(t) - textWidth(tickText(t), kTextSize) / 2, kTop + h + 6, kTextSize, kInk);
  }
  for (double t : ay.ticks()) {
    drawLine(image, kLeft, py(t), kLeft + w, py(t), 1, kGrid);
    drawText(image, tickText(t), kLeft - 6 - textWidth(tickText(t), kTextSize), py(t) - kTextSize / 2, kTextSize, kInk);
  }
  for (std::size_t s = 0; s < series.size(); ++s) {
    const Series& line = series[s];
    for (std::size_t i = 1; i < line.x.size(); ++i)
      if (ax.shows(line.x[i - 1]) && ay.shows(line.y[i - 1]) && ax.shows(line.x[i]) && ay.shows(line.y[i]))
        drawLine(image, px(line.x[i - 1]), py(line.y[i - 1]), px(line.x[i]), py(line.y[i]), 2, seriesColor(s));
    const double at = kTop + 6 + 14 * static_cast<double>(s), left = kLeft + w - 8 - textWidth(line.name, kTextSize);
    drawLine(image, left - 20, at + kTextSize / 2, left - 6, at + kTextSize / 2, 2, seriesColor(s));
    drawText(image, line.name, left, at, kTextSize, kInk);
  }
  drawText(image, options.title, kLeft, 8, kTextSize + 1, kInk);
  drawText(image, options.x_label, kLeft + w / 2 - textWidth(options.x_label, kTextSize) / 2, kTop + h + 23, kTextSize,
           kInk);
  drawText(image, options.y_label, 4, 8, kTextSize, kInk);
  return image;
}

Image colorMap(int pixels, const std::function<Rgb(double, double)>& color) {
  Image image(pixels, pixels);
  for (int y = 0; y < pixels; ++y)
    for (int x = 0; x < pixels; ++x) setPixel(image, x, y, color((x + 0.5) / pixels, 1 - (y + 0.5) / pixels));
  return image;
}

Result<std::string> picture(const Context& context, const std::string& name, const std::string& alt,
                            const std::function<Image()>& draw) {
  if (context.pictures.empty()) return std::string();
  const std::string path = context.pictures + "/studies_" + name + ".png";
  const std::vector<std::uint8_t> bytes = encodePng(draw());
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) return Error{ErrorCode::CannotWrite, "cannot be written", path};
  return "![" + alt + "](images/studies_" + name + ".png)\n\n";
}

} // namespace skincells::studies
