// Reading the golden vectors of shared/golden.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "skincells/field.h"

namespace skincells::test {

nlohmann::json readGolden(const std::string& name);

// Numbers of a nested list in row-major order; null is NaN.
std::vector<double> flat(const nlohmann::json& nested);
// The same as points.
std::vector<Vec3d> flatPoints(const nlohmann::json& nested);

// The layout and values of a `params` object, or the values of a `gradient` object of the same names.
FieldLayout goldenLayout(const nlohmann::json& params);
std::vector<double> goldenValues(const FieldLayout& layout, const nlohmann::json& params);
// As FieldParameters with unit box = space.
FieldParameters goldenField(const nlohmann::json& params, int max_influences);

// Largest |a - b| / max(|b|, floor), with a message naming the worst entry; `floor` is relative to the largest |b|.
double worstError(const std::vector<double>& a, const std::vector<double>& b, double floor);

} // namespace skincells::test
