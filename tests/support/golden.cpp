#include "support/golden.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/files.h"

namespace skincells::test {
namespace {

void flatten(const nlohmann::json& nested, std::vector<double>& out) {
  if (nested.is_array())
    for (const auto& item : nested) flatten(item, out);
  else
    out.push_back(nested.is_null() ? std::numeric_limits<double>::quiet_NaN() : nested.get<double>());
}

} // namespace

nlohmann::json readGolden(const std::string& name) {
  return nlohmann::json::parse(readText(sharedFolder() / "golden" / name));
}

std::vector<double> flat(const nlohmann::json& nested) {
  std::vector<double> out;
  flatten(nested, out);
  return out;
}

std::vector<Vec3d> flatPoints(const nlohmann::json& nested) {
  const std::vector<double> numbers = flat(nested);
  std::vector<Vec3d> points;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    points.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return points;
}

FieldLayout goldenLayout(const nlohmann::json& params) {
  return {static_cast<int>(params["logt"].size()), static_cast<int>(params["logt"][0].size()),
          params.contains("tri") ? FieldShape::Triangular : FieldShape::ScaleRotation};
}

std::vector<double> goldenValues(const FieldLayout& layout, const nlohmann::json& params) {
  std::vector<double> values = flat(params["p"]);
  const auto append = [&](const std::vector<double>& more) { values.insert(values.end(), more.begin(), more.end()); };
  append(flat(params["logt"]));
  if (layout.shape == FieldShape::Triangular) {
    append(flat(params["tri"]));
  } else {
    const std::vector<double> logs = flat(params["logs"]), quat = flat(params["quat"]);
    for (std::size_t s = 0; s < layout.sites(); ++s) {
      values.insert(values.end(), logs.begin() + static_cast<long>(3 * s), logs.begin() + static_cast<long>(3 * s + 3));
      values.insert(values.end(), quat.begin() + static_cast<long>(4 * s), quat.begin() + static_cast<long>(4 * s + 4));
    }
  }
  append(flat(params["logc"]));
  append(flat(params["logr"]));
  return values;
}

FieldParameters goldenField(const nlohmann::json& params, int max_influences) {
  FieldParameters field(goldenLayout(params), max_influences);
  const std::vector<double> values = goldenValues(field.layout, params);
  std::transform(values.begin(), values.end(), field.values.begin(), [](double v) { return static_cast<float>(v); });
  return field;
}

double worstError(const std::vector<double>& a, const std::vector<double>& b, double floor) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0, worst = 0;
  for (double v : b) largest = std::max(largest, std::abs(v));
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const double error = std::abs(a[i] - b[i]) / std::max({std::abs(b[i]), floor * largest, 1e-300});
    if (!(error <= worst)) worst = error; // also when it is NaN
  }
  return worst;
}

} // namespace skincells::test
