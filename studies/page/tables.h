// Tables and pictures of the page.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "skincells/result.h"
#include "skincells/viz/color.h"
#include "skincells/viz/image.h"
#include "studies/page/section.h"

namespace skincells::studies {

std::string number(double value, int digits);

// A Markdown table; columns but the first are aligned to the right.
class Table {
public:
  explicit Table(const std::vector<std::string>& head);
  void add(const std::vector<std::string>& cells);
  const std::string& text() const { return text_; }

private:
  std::string text_;
};

struct Series {
  std::string name;
  std::vector<double> x, y; // points that are not finite are gaps
};
struct PlotOptions {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  int width = 480, height = 320;
};
Image linePlot(const std::vector<Series>& series, const PlotOptions& options);

// A picture of a function over a square: color(x, y) for x, y in 0 .. 1, y upwards.
Image colorMap(int pixels, const std::function<Rgb(double, double)>& color);

// Draws the picture into the context's folder, and returns the Markdown that shows it. Without a folder: "".
Result<std::string> picture(const Context& context, const std::string& name, const std::string& alt,
                            const std::function<Image()>& draw);

} // namespace skincells::studies
