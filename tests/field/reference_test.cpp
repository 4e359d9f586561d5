// The float64 definition of the field against every golden vector.
#include "field/reference.h"

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/golden.h"

namespace skincells::field {
namespace {

using test::flat;

// From the README of the golden vectors: 1e-10, and 1e-6 for the cases at kinks of the field.
double tolerance(const std::string& name) {
  return name == "huber switch" || name == "near cell boundaries" || name == "large r" ? 1e-6 : 1e-10;
}

void checkMode(const nlohmann::json& golden, const ReferenceField<double>& field, FieldMode mode) {
  const auto& expected = golden[mode == FieldMode::Hard ? "hard" : "relaxed"];
  const std::vector<double> functional = flat(golden["functional"]);
  const std::size_t n = field.layout.joints();
  std::vector<double> raw, weights, distances, references, gradient(field.values.size(), 0.0);
  std::size_t v = 0;
  for (const Vec3d& x : test::flatPoints(golden["points"])) {
    const PointTrace<double> trace = evaluatePoint(field, x, mode);
    for (double a : trace.log_raw) raw.push_back(std::exp(a));
    weights.insert(weights.end(), trace.weight.begin(), trace.weight.end());
    distances.insert(distances.end(), trace.distance.begin(), trace.distance.end());
    references.push_back(trace.reference);
    addPointGradient(field, x, mode, trace, std::span(functional).subspan(n * v++, n), std::span(gradient));
  }
  const double allowed = tolerance(golden["name"]);
  EXPECT_LT(test::worstError(distances, flat(golden["cell_distance"]), 1e-12), 1e-10);
  if (field.cuts()) {
    EXPECT_LT(test::worstError(references, flat(golden["reference_distance"]), 1e-12), 1e-10);
  }
  EXPECT_LT(test::worstError(raw, flat(expected["raw"]), 1e-12), allowed);
  EXPECT_LT(test::worstError(weights, flat(expected["weights"]), 1e-12), allowed);
  double value = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) value += weights[i] * functional[i];
  EXPECT_NEAR(value, expected["functional_value"].get<double>(), allowed);
  const std::vector<double> expected_gradient = test::goldenValues(field.layout, expected["gradient"]);
  EXPECT_LT(test::worstError(gradient, expected_gradient, 1e-6), allowed);
}

class ReferenceGolden : public testing::TestWithParam<const char*> {};

TEST_P(ReferenceGolden, EveryCase) {
  SKINCELLS_NEEDS_SHARED();
  const auto file = test::readGolden(GetParam());
  for (const auto& golden : file["cases"]) {
    SCOPED_TRACE(golden["name"].get<std::string>());
    const FieldLayout layout = test::goldenLayout(golden["params"]);
    const std::vector<double> values = test::goldenValues(layout, golden["params"]);
    const ReferenceField<double> field{layout, golden["l"].get<int>(), values};
    for (FieldMode mode : {FieldMode::Relaxed, FieldMode::Hard}) checkMode(golden, field, mode);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ReferenceGolden,
                         testing::Values("field_sr_a.json", "field_sr_b.json", "field_tri_a.json", "field_tri_b.json"));

} // namespace
} // namespace skincells::field
