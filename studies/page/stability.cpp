#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"
#include "base/try.h"
#include "skincells/viz/sheet.h"
#include "studies/page/section.h"
#include "studies/page/tables.h"

namespace skincells::studies {
namespace {

constexpr int kInfluences = 4;
using Row = std::vector<double>;

// ((D - d) / d)^r, D the (K+1)-th distance, divided by the sum: as printed.
template <class T> Row direct(const std::vector<T>& d, T r) {
  std::vector<T> order = d, raw;
  std::ranges::nth_element(order, order.begin() + kInfluences);
  T sum = 0;
  for (T x : d) {
    raw.push_back(std::pow(std::max(T(0), order[kInfluences] - x) / x, r));
    sum += raw.back();
  }
  Row out;
  for (T w : raw) out.push_back(static_cast<double>(w / sum));
  return out;
}

// The same weights as a softmax of logarithms: what the product computes.
template <class T> Row softmaxOfLogs(const std::vector<T>& d, T r) {
  std::vector<T> order = d, log_raw;
  std::ranges::nth_element(order, order.begin() + kInfluences);
  T top = -INFINITY, sum = 0;
  for (T x : d) {
    log_raw.push_back(r * (std::log(std::max(T(0), order[kInfluences] - x)) - std::log(x)));
    top = std::max(top, log_raw.back());
  }
  Row out;
  for (T l : log_raw) sum += std::exp(l - top);
  for (T l : log_raw) out.push_back(static_cast<double>(std::exp(l - top) / sum));
  return out;
}

// exp(-r d), divided by the sum: the weights of smooth Voronoi diagrams.
template <class T> Row softmaxOfDistances(const std::vector<T>& d, T r) {
  T sum = 0;
  for (T x : d) sum += std::exp(-r * x);
  Row out;
  for (T x : d) out.push_back(static_cast<double>(std::exp(-r * x) / sum));
  return out;
}

// The same with the largest exponent taken out.
template <class T> Row shiftedSoftmax(const std::vector<T>& d, T r) {
  const T least = *std::ranges::min_element(d);
  std::vector<T> shifted;
  for (T x : d) shifted.push_back(x - least);
  return softmaxOfDistances(shifted, r);
}

bool isWrong(const Row& row, const Row& truth) {
  constexpr double kError = 1e-2;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (!(std::abs(row[i] - truth[i]) < kError)) return true;
  return false;
}

// Of 100 draws, by form: direct, softmax of logs, softmax of distances, shifted.
using Shares = std::array<double, 4>;
Shares wrongShares(double r, int draws, Random& random) {
  Shares wrong{};
  for (int i = 0; i < draws; ++i) {
    std::vector<double> d;
    std::vector<float> f;
    for (int j = 0; j < 8; ++j) {
      f.push_back(static_cast<float>(random.uniform(0, 100)));
      d.push_back(f.back());
    }
    // In exact arithmetic the two forms of each pair are equal; in float64 the shifted ones do not overflow here.
    const Row cells = softmaxOfLogs<double>(d, r), voronoi = shiftedSoftmax<double>(d, r);
    const auto rf = static_cast<float>(r);
    wrong[0] += isWrong(direct<float>(f, rf), cells);
    wrong[1] += isWrong(softmaxOfLogs<float>(f, rf), cells);
    wrong[2] += isWrong(softmaxOfDistances<float>(f, rf), voronoi);
    wrong[3] += isWrong(shiftedSoftmax<float>(f, rf), voronoi);
  }
  for (double& w : wrong) w *= 100.0 / draws;
  return wrong;
}

// A skeleton of six bones in the plane, 100 wide: a body, and limbs in pairs.
std::vector<float> toyDistances(double x, double y) {
  static constexpr double kBones[6][4] = {{50, 20, 50, 60}, {50, 60, 50, 90}, {50, 58, 20, 80},
                                          {50, 58, 80, 80}, {50, 20, 25, 5},  {50, 20, 75, 5}};
  std::vector<float> out;
  for (const auto& b : kBones) {
    const double dx = b[2] - b[0], dy = b[3] - b[1];
    const double t = std::clamp(((x - b[0]) * dx + (y - b[1]) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    out.push_back(static_cast<float>(std::hypot(x - b[0] - t * dx, y - b[1] - t * dy)));
  }
  return out;
}

Rgb toyColor(const Row& row) {
  static const Rgb kColors[6] = {rgbFromSrgb(240, 190, 60), rgbFromSrgb(60, 130, 200), rgbFromSrgb(90, 170, 80),
                                 rgbFromSrgb(200, 90, 60),  rgbFromSrgb(120, 80, 170), rgbFromSrgb(60, 170, 170)};
  Rgb c;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (!std::isfinite(row[j])) return rgbFromSrgb(255, 0, 255);
    const auto w = static_cast<float>(row[j]);
    c = {c.r + w * kColors[j].r, c.g + w * kColors[j].g, c.b + w * kColors[j].b};
  }
  return c;
}

Image toyPicture() {
  std::vector<SheetCell> cells;
  using Form = Row (*)(const std::vector<float>&, float);
  const std::pair<const char*, Form> forms[] = {{"as printed", direct<float>},
                                                {"softmax of logs", softmaxOfLogs<float>},
                                                {"softmax of distances", softmaxOfDistances<float>}};
  for (const auto& [name, form] : forms)
    for (float r : {4.0F, 32.0F, 128.0F}) {
      const Form weigh = form;
      cells.push_back(
          {colorMap(170, [&](double x, double y) { return toyColor(weigh(toyDistances(100 * x, 100 * y), r)); }),
           std::string(name) + ", r = " + std::to_string(static_cast<int>(r))});
    }
  return contactSheet(cells, {.columns = 3, .title = "", .text_size = 8});
}

} // namespace

Result<Finding> studyStability(const Context& context) {
  const int draws = context.quick ? 2000 : 20000;
  Random random(4);
  Table table({"exponent r", "cells as printed", "cells as a softmax of logs", "softmax of distances",
               "softmax of distances, largest exponent taken out"});
  double first_failure = 0;
  Shares worst{};
  for (double r : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0}) {
    const Shares s = wrongShares(r, draws, random);
    for (std::size_t i = 0; i < s.size(); ++i) worst[i] = std::max(worst[i], s[i]);
    if (first_failure == 0 && s[0] > 0.1) first_failure = r;
    table.add(
        {number(r, 0), number(s[0], 2) + " %", number(s[1], 2) + " %", number(s[2], 2) + " %", number(s[3], 2) + " %"});
  }
  Finding out;
  const bool better = worst[0] < worst[2];
  out.holds = worst[0] < 0.1 ? Holds::Yes : worst[1] < 0.1 && better ? Holds::Partly : Holds::No;
  out.sentence = "A plain softmax of distances fails in up to " + number(worst[2], 0) +
                 " % of the draws, cells as printed in " + number(worst[0], 0) + " %, from an exponent of about " +
                 number(first_failure, 0) + " on; evaluated as a softmax of logarithms, cells fail in " +
                 number(worst[1], 2) + " %. Taking the largest exponent out mends the softmax of distances, too (" +
                 number(worst[3], 2) + " %).";
  out.notes =
      "Distances of 8 joints are drawn from 0 to 100, K is 4, all in float32. A draw fails if a weight is not a "
      "number or off by 0.01 from float64. `skincells` computes the softmax of logarithms.";
  out.body = table.text() + "\n";
  SKINCELLS_TRY(toy, picture(context, "stability",
                             "Weights in the plane for exponents 4, 32 and 128; magenta: not a number", toyPicture));
  out.body += toy;
  return out;
}

} // namespace skincells::studies
