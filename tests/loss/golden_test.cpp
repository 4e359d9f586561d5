// The losses against the golden vectors: in float64 as the definition, in float32 as the fast path.
#include <gtest/gtest.h>

#include "field/evaluate.h"
#include "field/reference.h"
#include "kernels/kernels.h"
#include "loss/pose_losses.h"
#include "support/files.h"
#include "support/golden.h"

namespace skincells::loss {
namespace {

struct Term {
  const char* name;
  LossWeights weights;
};
constexpr Term kTerms[] = {
    {"dm_tangent_B_constant", {1, 0, 0}}, {"loc", {0, 1, 0}}, {"sp_renormalised", {0, 0, 1}}, {"total", {1, 6000, 1}}};

std::vector<Pose> goldenPoses(const nlohmann::json& golden) {
  std::vector<Pose> poses;
  for (const auto& pose : golden["poses"]) {
    poses.emplace_back();
    for (const auto& matrix : pose) {
      Affine a;
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 4; ++c) a.m[r][c] = matrix[r][c];
      poses.back().push_back(a);
    }
  }
  return poses;
}

template <class T> struct Scene {
  std::vector<Vec3<T>> rest;
  std::vector<Triangle> triangles;
  std::vector<Spring<T>> springs;
  std::vector<std::uint32_t> tangent_reference;
  deform::PoseQuads<T> poses;

  explicit Scene(const nlohmann::json& golden) {
    const auto vector = [](const Vec3d& p) {
      return Vec3<T>{static_cast<T>(p.x), static_cast<T>(p.y), static_cast<T>(p.z)};
    };
    for (const Vec3d& p : test::flatPoints(golden["mesh"]["vertices"])) rest.push_back(vector(p));
    triangles = golden["mesh"]["faces"].get<std::vector<Triangle>>();
    tangent_reference = golden["tangent_reference"].get<std::vector<std::uint32_t>>();
    const auto& s = golden["springs"];
    const auto anchors = test::flatPoints(s["anchor"]);
    for (std::size_t i = 0; i < anchors.size(); ++i)
      springs.push_back({s["vertex"][i].get<std::uint32_t>(), s["joint"][i].get<std::uint32_t>(), vector(anchors[i]),
                         static_cast<T>(s["rest_length"][i].get<double>())});
    poses = deform::makePoseQuads<T>(goldenPoses(golden), {}, 1);
  }
  PoseLosses<T> losses(const nlohmann::json& golden) const {
    return {rest, triangles, springs, golden["l"].get<int>(), tangent_reference};
  }
};

// Rows that contain every joint.
weights::WeightRowsOf<double> denseRows(const std::vector<double>& weights, std::size_t joints) {
  weights::WeightRowsOf<double> rows;
  rows.weight = weights;
  for (std::size_t e = 0; e < weights.size(); ++e) {
    if (e % joints == 0) {
      rows.first.push_back(static_cast<std::uint32_t>(e));
      rows.count.push_back(static_cast<std::uint32_t>(joints));
    }
    rows.joint.push_back(static_cast<std::uint16_t>(e % joints));
  }
  return rows;
}

class LossGolden : public testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    SKINCELLS_NEEDS_SHARED();
    golden_ = test::readGolden(GetParam());
  }
  nlohmann::json golden_;
};

TEST_P(LossGolden, DefinitionInFloat64) {
  const Scene<double> scene(golden_);
  PoseLosses<double> losses = scene.losses(golden_);
  const FieldLayout layout = test::goldenLayout(golden_["params"]);
  const std::vector<double> values = test::goldenValues(layout, golden_["params"]);
  const field::ReferenceField<double> field{layout, golden_["l"].get<int>(), values};
  const double scale = golden_["unit_scale"];

  std::vector<field::PointTrace<double>> traces;
  std::vector<double> all_weights;
  for (const Vec3d& x : scene.rest) {
    traces.push_back(evaluatePoint(field, x * scale, field::FieldMode::Relaxed));
    all_weights.insert(all_weights.end(), traces.back().weight.begin(), traces.back().weight.end());
  }
  EXPECT_LT(test::worstError(all_weights, test::flat(golden_["weights"]), 1e-12), 1e-10);

  for (const Term& term : kTerms) {
    SCOPED_TRACE(term.name);
    const auto& expected = golden_["losses"][term.name];
    std::vector<double> by_weight;
    const LossValues value =
        losses.evaluate(denseRows(all_weights, layout.joints()), scene.poses, term.weights, by_weight);
    EXPECT_NEAR(value.total() / expected["value"].get<double>(), 1, 1e-10);
    if (golden_["gradient_wrt_weights"].contains(term.name)) {
      EXPECT_LT(test::worstError(by_weight, test::flat(golden_["gradient_wrt_weights"][term.name]), 1e-4), 1e-10);
    }
    std::vector<double> by_parameter(values.size());
    for (std::size_t v = 0; v < traces.size(); ++v)
      addPointGradient(field, scene.rest[v] * scale, field::FieldMode::Relaxed, traces[v],
                       std::span<const double>(by_weight).subspan(v * layout.joints(), layout.joints()),
                       std::span(by_parameter));
    EXPECT_LT(test::worstError(by_parameter, test::goldenValues(layout, expected["gradient"]), 1e-6), 1e-9);
  }
}

TEST_P(LossGolden, FastPathInFloat32) {
  const Scene<float> scene(golden_);
  PoseLosses<float> losses = scene.losses(golden_);
  const FieldParameters parameters = test::goldenField(golden_["params"], golden_["l"]);
  const auto scale = golden_["unit_scale"].get<float>();
  std::vector<Vec3f> unit;
  for (const Vec3f& x : scene.rest) unit.push_back(x * scale);
  field::Evaluator evaluator(unit);
  weights::WeightRows rows;
  const field::CompiledField compiled = compile(parameters, field::FieldMode::Relaxed);
  evaluator.evaluate(compiled, 1e-5F, rows); // the optimizer drops more
  for (const Term& term : kTerms) {
    SCOPED_TRACE(term.name);
    const auto& expected = golden_["losses"][term.name];
    std::vector<float> by_weight, by_parameter(parameters.layout.size());
    const LossValues value = losses.evaluate(rows, scene.poses, term.weights, by_weight);
    EXPECT_NEAR(value.total() / expected["value"].get<double>(), 1, 1e-4);
    evaluator.differentiate(compiled, rows, by_weight, by_parameter);
    EXPECT_LT(test::worstError({by_parameter.begin(), by_parameter.end()},
                               test::goldenValues(parameters.layout, expected["gradient"]), 1),
              2e-4);
  }
}

TEST_P(LossGolden, SkinningAndRestLaplacian) {
  const Scene<double> scene(golden_);
  const auto rows = denseRows(test::flat(golden_["weights"]), 5);
  std::vector<double> rest, posed(scene.rest.size() * kernels::kQuadVector), laplacian;
  for (const Vec3d& x : scene.rest) rest.insert(rest.end(), {x.x, x.y, x.z});
  kernels::poseKernels<double>().skinRows(
      {.begin = 0,
       .end = scene.rest.size(),
       .rows = {rows.first.data(), rows.count.data(), rows.joint.data(), rows.weight.data()},
       .rest = rest.data(),
       .matrices = scene.poses.quad(0),
       .posed = posed.data()});
  const std::vector<double> expected = test::flat(golden_["deformed"]);
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t i = 0; i < rest.size(); ++i)
      EXPECT_NEAR(posed[i / 3 * 12 + i % 3 * 4 + p], expected[p * rest.size() + i], 1e-9);
  const PoseLosses<double> losses = scene.losses(golden_);
  for (std::size_t v = 0; v < scene.rest.size(); ++v) {
    const Vec3d l = losses.smoothness().restLaplacian(v);
    laplacian.insert(laplacian.end(), {l.x, l.y, l.z});
  }
  EXPECT_LT(test::worstError(laplacian, test::flat(golden_["rest_laplacian"]), 1e-3), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Files, LossGolden, testing::Values("losses_sr.json", "losses_tri.json"));

} // namespace
} // namespace skincells::loss
