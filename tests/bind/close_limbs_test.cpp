// Limbs that lie close to each other in the bind pose share less weight if the field sees normals.
#include <gtest/gtest.h>

#include "skincells/apply.h"
#include "skincells/bind.h"
#include "skincells/transfer.h"
#include "support/shapes.h"

namespace skincells {
namespace {

constexpr double kHeight = 0.9, kRadius = 0.08, kGap = 0.01, kSide = kRadius + kGap / 2;

// Two parallel legs, 1 cm apart, under a body.
Character legs() {
  Character out{"legs", {}, {}, {}};
  const auto moved = [](Mesh mesh, double x, double y) {
    for (Vec3f& p : mesh.positions) p += toFloat({x, y, 0});
    return mesh;
  };
  const Mesh leg = test::tube(kHeight, kRadius, 40, 20), body = moved(test::tube(0.7, 0.17, 30, 24), 0, 0.92);
  out.mesh = test::joined(test::joined(moved(leg, -kSide, 0), moved(leg, kSide, 0)), body);
  test::addJoint(out.skeleton, "hips", -1, {0, 0.95, 0});
  test::addJoint(out.skeleton, "chest", 0, {0, 1.3, 0});
  test::addJoint(out.skeleton, "head", 1, {0, 1.6, 0});
  for (double side : {-kSide, kSide}) {
    const std::string name = side < 0 ? "left " : "right ";
    const int hip = static_cast<int>(out.skeleton.joints.size());
    test::addJoint(out.skeleton, name + "leg", 0, {side, 0.88, 0});
    test::addJoint(out.skeleton, name + "knee", hip, {side, 0.45, 0});
    test::addJoint(out.skeleton, name + "foot", hip + 1, {side, 0.05, 0});
  }
  return out;
}

// The mean weight that vertices of a leg give to joints of the other.
double crossing(const Character& character, const SparseWeights& weights) {
  double sum = 0;
  int count = 0;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    if (character.mesh.positions[v].y > kHeight) continue;
    ++count;
    for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k) {
      const int joint = weights.jointRow(v)[k];
      const bool left_joint = joint >= 3 && joint < 6, right_joint = joint >= 6;
      if (character.mesh.positions[v].x < 0 ? right_joint : left_joint) sum += double{weights.weightRow(v)[k]};
    }
  }
  return sum / count;
}

// Every vertex of a leg follows that leg alone.
SparseWeights strictlyApart(const Character& character) {
  SparseWeights weights(character.mesh.positions.size(), 1);
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    const Vec3f& p = character.mesh.positions[v];
    const int below = p.y > 0.45F ? 0 : (p.y > 0.05F ? 1 : 2);
    const int joint = p.y > kHeight ? (p.y > 1.3F ? 1 : 0) : (p.x < 0 ? 3 : 6) + below;
    weights.joints[v] = static_cast<std::uint16_t>(joint);
    weights.weights[v] = 1;
  }
  return weights;
}

TEST(CloseLimbs, AFieldTellsThemApartByTheirNormals) {
  Character character = legs();
  character.weights = strictlyApart(character);
  double found[2] = {};
  for (const bool normals : {false, true}) {
    const auto result = transferSkin(
        character, legs(), {.via = TransferMethod::Field, .max_influences = 4, .fit_steps = 60, .normals = normals});
    ASSERT_TRUE(result) << result.error().text();
    found[normals ? 1 : 0] = crossing(character, result->weights);
  }
  EXPECT_GT(found[0], 0.001) << "the test proves nothing";
  EXPECT_LT(found[1], 0.7 * found[0]);
}

TEST(CloseLimbs, ShareLessWithNormals) {
  const Character character = legs();
  double found[2] = {};
  for (const bool normals : {false, true}) {
    BindOptions options;
    options.normals = normals;
    const auto result = bind(character, options);
    ASSERT_TRUE(result) << result.error().text();
    ASSERT_TRUE(result->field);
    EXPECT_EQ(result->field->layout.normals, normals);
    found[normals ? 1 : 0] = crossing(character, result->weights);

    // The field gives the same bytes again on the mesh it was made for.
    Warnings warnings;
    const FieldDocument document = describeField(character, *result, warnings);
    EXPECT_TRUE(warnings.empty());
    const auto applied = applyField(document, character);
    ASSERT_TRUE(applied) << applied.error().text();
    EXPECT_EQ(applied->weights.weights, result->weights.weights);
    EXPECT_EQ(applied->weights.joints, result->weights.joints);
  }
  EXPECT_GT(found[0], 0.001) << "the test proves nothing";
  EXPECT_LT(found[1], found[0]);
}

} // namespace
} // namespace skincells
