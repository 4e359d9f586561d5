// A field on the mesh it was made for, and on others.
#include "skincells/apply.h"

#include <algorithm>
#include <numbers>

#include <gtest/gtest.h>

#include "base/random.h"
#include "field/evaluate.h"
#include "skincells/io/character_file.h"
#include "skincells/io/field_file.h"
#include "support/field_samples.h"
#include "support/files.h"
#include "support/shapes.h"
#include "transfer/parts.h"

namespace skincells::test {
namespace {

// A tube with a chain of joints, and plates beside it that a bind makes rigid.
Character tubeWithParts() {
  Character character = tubeCharacter(5);
  for (double height : {0.6, 1.7, 2.9}) {
    Mesh plate = tube(0.2, 0.08, 3, 6);
    for (Vec3f& p : plate.positions) p += Vec3f{0.7F, static_cast<float>(height), 0};
    character.mesh = joined(character.mesh, plate);
  }
  return character;
}

BindResult bound(const Character& character, int influences = 3) {
  BindOptions options;
  options.quality = BindQuality::Draft;
  options.max_influences = influences;
  auto result = bind(character, options);
  EXPECT_TRUE(result) << result.error().text();
  return std::move(*result);
}

// Written to a file and read back.
FieldDocument documentOf(const Character& character, const BindResult& result) {
  Warnings warnings;
  const FieldDocument document = describeField(character, result, warnings);
  EXPECT_TRUE(warnings.empty()) << warnings[0].message;
  auto read = decodeField(encodeField(document), "x.skc");
  EXPECT_TRUE(read) << read.error().text();
  return std::move(*read);
}

double largestDifference(const SparseWeights& a, const SparseWeights& b, std::size_t joint_count) {
  double largest = 0;
  for (std::size_t v = 0; v < a.vertexCount(); ++v) {
    std::vector<double> row(joint_count);
    for (std::size_t k = 0; k < a.weightRow(v).size(); ++k) row[a.jointRow(v)[k]] += double(a.weightRow(v)[k]);
    for (std::size_t k = 0; k < b.weightRow(v).size(); ++k) row[b.jointRow(v)[k]] -= double(b.weightRow(v)[k]);
    for (double w : row) largest = std::max(largest, std::abs(w));
  }
  return largest;
}

TEST(Apply, TheSameMeshGetsTheSameBytes) {
  for (const Character& character : {tubeWithParts(), tubeCharacter(2)}) {
    const BindResult result = bound(character);
    const auto applied = applyField(documentOf(character, result), character);
    ASSERT_TRUE(applied) << applied.error().text();
    EXPECT_EQ(applied->weights.joints, result.weights.joints);
    EXPECT_EQ(applied->weights.weights, result.weights.weights);
    EXPECT_EQ(applied->rigid_part_count > 0, result.report.rigid_part_count > 0);
  }
}

TEST(Apply, SharedCharactersGetTheSameBytes) {
  SKINCELLS_NEEDS_SHARED();
  for (const char* name : {"Knight.glb", "Anglerfish.glb", "CyberpunkRunner.glb", "PyreSorcerer.vrm"}) {
    SCOPED_TRACE(name);
    const auto file = CharacterFile::read((sharedFolder() / "characters" / name).string());
    ASSERT_TRUE(file) << file.error().text();
    const BindResult result = bound(file->character(), 4);
    const auto applied = applyField(documentOf(file->character(), result), file->character());
    ASSERT_TRUE(applied) << applied.error().text();
    EXPECT_EQ(applied->weights.joints, result.weights.joints);
    EXPECT_EQ(applied->weights.weights, result.weights.weights);
  }
}

TEST(Apply, PartsAreRecognizedInACoarserMesh) {
  const Character character = tubeWithParts();
  const BindResult result = bound(character);
  ASSERT_GT(result.report.rigid_part_count, 0);
  const FieldDocument document = documentOf(character, result);
  Character coarse = character;
  coarse.mesh = tube(4, 0.5, 5, 5);
  for (double height : {0.6, 1.7, 2.9}) {
    Mesh plate = tube(0.2, 0.08, 2, 4);
    for (Vec3f& p : plate.positions) p += Vec3f{0.7F, static_cast<float>(height), 0};
    coarse.mesh = joined(coarse.mesh, plate);
  }
  const auto applied = applyField(document, coarse);
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_EQ(applied->rigid_part_count, result.report.rigid_part_count);
}

// A part that follows the field is not mistaken for a rigid one around it.
TEST(Apply, PartsInTheSamePlaceAreDistinguished) {
  FieldPart a, b;
  a.box.add({0, 0, 0}), a.box.add({1, 1, 1});
  a.center = {0.5F, 0.5F, 0.5F};
  a.vertex_count = 10;
  b = a;
  b.vertex_count = 20;
  const std::vector<FieldPart> parts{a, b};
  EXPECT_EQ(transfer::findPart(b, parts), 1);
  EXPECT_EQ(transfer::findPart(a, parts), 0);
  FieldPart far = a;
  far.box.add({2, 1, 1});
  EXPECT_EQ(transfer::findPart(far, parts), -1);
}

TEST(Apply, OtherUnitsAndUpAxes) {
  const Character character = tubeWithParts();
  const BindResult result = bound(character);
  const FieldDocument document = documentOf(character, result);
  Character other = character;
  const Affine turn = Affine::rotation({1, 0, 0}, std::numbers::pi / 2);
  Affine map = turn;
  for (auto& row : map.m)
    for (double& value : row) value *= 100;
  for (Vec3f& p : other.mesh.positions) p = toFloat(map.apply(toDouble(p)));
  for (Joint& joint : other.skeleton.joints) joint.bind = joint.rest = map * joint.bind;
  const auto applied = applyField(document, other);
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_NEAR(applied->alignment.scale, 0.01, 1e-6);
  EXPECT_NEAR(applied->alignment.rotation_degrees, 90, 0.01);
  EXPECT_LT(largestDifference(applied->weights, result.weights, character.skeleton.joints.size()), 1e-3);
  ApplyOptions none;
  none.align = AlignChoice::None;
  const auto astray = applyField(document, other, none);
  ASSERT_TRUE(astray);
  EXPECT_GT(largestDifference(astray->weights, result.weights, character.skeleton.joints.size()), 0.2);
}

// Joints in another order, and one more joint: rows follow the names.
TEST(Apply, JointsFollowTheirNames) {
  const Character character = tubeCharacter(4);
  const BindResult result = bound(character);
  Character other = character;
  std::ranges::reverse(other.skeleton.joints);
  for (Joint& joint : other.skeleton.joints)
    if (joint.parent != kNoParent) joint.parent = 3 - joint.parent;
  addJoint(other.skeleton, "extra", 0, {0, 5, 0});
  const auto applied = applyField(documentOf(character, result), other);
  ASSERT_TRUE(applied) << applied.error().text();
  SparseWeights renamed = applied->weights;
  for (std::size_t i = 0; i < renamed.joints.size(); ++i)
    if (renamed.weights[i] > 0) renamed.joints[i] = static_cast<std::uint16_t>(3 - renamed.joints[i]);
  EXPECT_EQ(largestDifference(renamed, result.weights, 5), 0);
}

TEST(Apply, FewerInfluencesAreEvaluatedNotTruncated) {
  const Character character = tubeCharacter(5);
  const FieldDocument document = documentOf(character, bound(character, 4));
  ApplyOptions two;
  two.max_influences = 2;
  const auto applied = applyField(document, character, two);
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->weights.slots, 2);
  SparseWeights cut = applyField(document, character)->weights;
  canonicalize(cut, 2);
  EXPECT_GT(largestDifference(applied->weights, cut, 5), 1e-3);
  ApplyOptions five;
  five.max_influences = 5;
  const auto refused = applyField(document, character, five);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidOption);
}

TEST(Apply, MissingJointsAndOtherBodiesAreErrors) {
  const Character character = tubeCharacter(4);
  const FieldDocument document = documentOf(character, bound(character));
  Character other = character;
  other.skeleton.joints[2].name = "tentacle";
  const auto missing = applyField(document, other);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::Mismatch);
  other = character;
  other.skeleton.joints[3].bind.m[0][3] += 3;
  EXPECT_FALSE(applyField(document, other));
  other = character;
  other.mesh = {};
  EXPECT_FALSE(applyField(document, other));
}

TEST(Apply, PointsWithNormalsAreEvaluatedWithThem) {
  const FieldDocument document = sampleDocument(6, 2, FieldShape::ScaleRotation, 3, true);
  Random random(2);
  Character cloud{"cloud", {}, document.skeleton, {}};
  cloud.mesh.positions = randomPoints(random, 100, -1, 4);
  std::vector<Vec3f> normals = randomNormals(random, 100), longer;
  for (const Vec3f& n : normals) longer.push_back(normalized(n) * 7.0F);
  for (Vec3f& n : normals) n = normalized(n);
  const auto applied = applyField(document, cloud, {}, longer), without = applyField(document, cloud);
  ASSERT_TRUE(applied) << applied.error().text();
  ASSERT_TRUE(without) << without.error().text();
  const auto over = [&](SparseWeights w) { // the joints of the skeleton
    for (std::uint16_t& j : w.joints) j = static_cast<std::uint16_t>(document.joints[j]);
    return w;
  };
  const std::size_t joints = document.skeleton.joints.size();
  EXPECT_LT(largestDifference(applied->weights, over(evaluateField(document, {cloud.mesh.positions, normals})), joints),
            1e-4);
  EXPECT_LT(largestDifference(without->weights, over(evaluateField(document, cloud.mesh.positions)), joints), 1e-6);
  EXPECT_GT(largestDifference(applied->weights, without->weights, joints), 0.01);
}

TEST(Apply, PointsInTheSpaceOfTheField) {
  const FieldDocument document = sampleDocument(6, 2, FieldShape::Triangular, 3);
  Random random(1);
  const auto points = randomPoints(random, 100, -1, 4);
  for (int influences : {0, 1, 2, 3}) {
    const SparseWeights weights = evaluateField(document, points, influences);
    ASSERT_EQ(weights.vertexCount(), points.size());
    EXPECT_EQ(weights.slots, influences == 0 ? 3 : influences);
    for (std::size_t v = 0; v < points.size(); ++v) {
      double sum = 0;
      for (float w : weights.weightRow(v)) sum += double(w);
      EXPECT_NEAR(sum, 1, 1e-6);
    }
  }
}

} // namespace
} // namespace skincells::test
