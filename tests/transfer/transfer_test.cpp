// Weights transferred to another mesh with each of the three methods.
#include "skincells/transfer.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/shapes.h"
#include "transfer/inpaint.h"

namespace skincells::test {
namespace {

// A tube whose weights pass smoothly from joint to joint along it.
Character skinnedTube(int rings = 21, int sides = 12, double radius = 0.5) {
  Character character = tubeCharacter(4);
  character.mesh = tube(4, radius, rings, sides);
  character.weights = SparseWeights(character.mesh.positions.size(), 2);
  for (std::size_t v = 0; v < character.mesh.positions.size(); ++v) {
    const double along = std::clamp(static_cast<double>(character.mesh.positions[v].y), 0.0, 2.999);
    const double share = along - std::floor(along);
    character.weights.jointRow(v)[0] = static_cast<std::uint16_t>(along);
    character.weights.jointRow(v)[1] = static_cast<std::uint16_t>(along + 1);
    character.weights.weightRow(v)[0] = static_cast<float>(1 - share);
    character.weights.weightRow(v)[1] = static_cast<float>(share);
  }
  canonicalize(character.weights, 2);
  return character;
}

// The height on the tube at which the row occurs.
double placeOf(const SparseWeights& weights, std::size_t v) {
  double sum = 0;
  for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k)
    sum += static_cast<double>(weights.weightRow(v)[k]) * weights.jointRow(v)[k];
  return sum;
}

double worstPlace(const Character& target, const SparseWeights& weights) {
  double worst = 0;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    const double wanted = std::clamp(static_cast<double>(target.mesh.positions[v].y), 0.0, 3.0);
    worst = std::max(worst, std::abs(placeOf(weights, v) - wanted));
  }
  return worst;
}

TransferResult carried(const Character& source, const Character& target, TransferMethod via) {
  TransferOptions options;
  options.via = via;
  auto result = transferSkin(source, target, options);
  EXPECT_TRUE(result) << result.error().text();
  return std::move(*result);
}

std::size_t findUnweighted(const SparseWeights& weights) {
  std::size_t count = 0;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) count += weights.weightRow(v)[0] > 0 ? 0 : 1;
  return count;
}

constexpr TransferMethod kAll[] = {TransferMethod::Field, TransferMethod::Closest, TransferMethod::Robust};

TEST(Transfer, OntoACoarserTube) {
  const Character source = skinnedTube();
  Character target = source;
  target.mesh = tube(4, 0.5, 9, 7);
  target.weights = {};
  for (TransferMethod via : kAll) {
    const TransferResult result = carried(source, target, via);
    EXPECT_LT(worstPlace(target, result.weights), via == TransferMethod::Field ? 0.45 : 0.1) << static_cast<int>(via);
    EXPECT_EQ(result.max_influences, 2);
  }
}

TEST(Transfer, OntoItselfExactly) {
  const Character source = skinnedTube();
  for (TransferMethod via : {TransferMethod::Closest, TransferMethod::Robust})
    EXPECT_LT(worstPlace(source, carried(source, source, via).weights), 1e-3);
}

TEST(Transfer, OtherUnitsAndUpAxes) {
  const Character source = skinnedTube();
  Character target = source;
  Affine map = Affine::rotation({1, 0, 0}, -std::numbers::pi / 2);
  for (auto& row : map.m)
    for (double& value : row) value *= 0.01;
  for (Vec3f& p : target.mesh.positions) p = toFloat(map.apply(toDouble(p)));
  for (Joint& joint : target.skeleton.joints) joint.bind = joint.rest = map * joint.bind;
  for (TransferMethod via : kAll) {
    const TransferResult result = carried(source, target, via);
    EXPECT_NEAR(result.alignment.scale, 100, 1e-3);
    EXPECT_LT(worstPlace(source, result.weights), via == TransferMethod::Field ? 0.45 : 0.01);
  }
}

// A flap away from the tube: closest copies from the nearest point, robust continues from where the flap is attached.
TEST(Transfer, RobustInpaintsWhatIsFarAway) {
  const Character source = skinnedTube();
  Character target = source;
  target.weights = {};
  Mesh& flap = target.mesh = {}; // a strip from the tube's side at height 2, outwards and down to height 0
  for (int i = 0; i <= 10; ++i)
    for (int k = 0; k < 2; ++k)
      flap.positions.push_back(
          {0.5F + 0.1F * static_cast<float>(i), 2 - 0.2F * static_cast<float>(i), 0.1F * static_cast<float>(k)});
  for (std::uint32_t i = 0; i < 20; i += 2) {
    flap.triangles.push_back({i, i + 1, i + 2});
    flap.triangles.push_back({i + 1, i + 3, i + 2});
  }
  TransferOptions options;
  options.max_distance = 3;
  options.max_angle = 180;
  options.via = TransferMethod::Robust;
  const auto robust = transferSkin(source, target, options);
  ASSERT_TRUE(robust) << robust.error().text();
  EXPECT_GT(robust->inpainted_vertices, 10U);
  EXPECT_GT(robust->matched_vertices, 0U);
  EXPECT_EQ(robust->matched_vertices + robust->inpainted_vertices, 22U);
  const TransferResult closest = carried(source, target, TransferMethod::Closest);
  EXPECT_LT(placeOf(closest.weights, 20), 0.5) << "nearest to the lower end";
  EXPECT_GT(placeOf(robust->weights, 20), 1.0) << "follows where it hangs";
}

TEST(Transfer, PartsWithoutAMatchFollowTheClosestPoint) {
  const Character source = skinnedTube();
  Character target = source;
  Mesh far = tube(0.5, 0.1, 3, 6);
  for (Vec3f& p : far.positions) p += Vec3f{5, 1, 0};
  target.mesh = joined(source.mesh, far);
  const TransferResult result = carried(source, target, TransferMethod::Robust);
  EXPECT_EQ(result.unmatched_vertices, far.vertexCount());
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_EQ(result.warnings[0].code, "transfer.unmatched_parts");
  for (std::size_t v = 0; v < result.weights.vertexCount(); ++v) {
    double sum = 0;
    for (float w : result.weights.weightRow(v)) sum += static_cast<double>(w);
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

// The shell of a drawn outline: a little larger than the body, and inside out.
TEST(Transfer, ShellsThatAreInsideOutMatch) {
  const Character source = skinnedTube();
  Character target = source;
  target.mesh = tube(4, 0.52, 21, 12);
  for (Triangle& t : target.mesh.triangles) std::swap(t[0], t[1]);
  const TransferResult result = carried(source, target, TransferMethod::Robust);
  EXPECT_EQ(result.unmatched_vertices, 0U);
  EXPECT_GT(result.matched_vertices, target.mesh.vertexCount() / 2);
  EXPECT_LT(worstPlace(target, result.weights), 0.1);
}

TEST(Transfer, FieldReportsHowWellItFits) {
  const Character source = skinnedTube();
  const TransferResult result = carried(source, source, TransferMethod::Field);
  ASSERT_TRUE(result.fit && result.field);
  EXPECT_LT(result.fit->half_l1, 0.1);
  EXPECT_GT(result.fit->half_l1, 0);
  EXPECT_LT(result.fit->posed_rms_percent, 2);
  EXPECT_EQ(result.fit->pose_count, 20);
  EXPECT_LT(result.fit->loss.back(), result.fit->loss.front());
}

TEST(Transfer, InvalidInputIsRejected) {
  const Character source = skinnedTube();
  Character bare = source;
  bare.weights = {};
  EXPECT_EQ(transferSkin(bare, source).error().code, ErrorCode::Mismatch);
  Character cloud = source;
  cloud.mesh.triangles.clear();
  EXPECT_EQ(transferSkin(cloud, source).error().code, ErrorCode::NoMesh);
  EXPECT_TRUE(transferSkin(cloud, source, {.via = TransferMethod::Field}));
  Character empty = source;
  empty.mesh = {};
  EXPECT_EQ(transferSkin(source, empty).error().code, ErrorCode::NoMesh);
  Character other = source;
  other.skeleton.joints[1].name = "x";
  EXPECT_EQ(transferSkin(source, other).error().code, ErrorCode::Mismatch);
  EXPECT_EQ(transferSkin(source, source, {.max_angle = 200}).error().code, ErrorCode::InvalidOption);
  const auto stop = [](const Progress&) { return false; };
  EXPECT_EQ(transferSkin(source, source, {.via = TransferMethod::Field}, stop).error().code, ErrorCode::Cancelled);
}

// Triangles that are only there until their corners are welded.
TEST(Transfer, SourcesWithoutASurfaceAreRejected) {
  const Character target = skinnedTube();
  Character source = target;
  for (Triangle& t : source.mesh.triangles) t[2] = t[1];
  Character point = target;
  for (Vec3f& p : point.mesh.positions) p = {1, 2, 3};
  Character twins = target; // corners that differ by less than the weld tolerance
  twins.mesh.triangles = {{0, 1, 2}};
  twins.mesh.positions[1] = twins.mesh.positions[0];
  twins.mesh.positions[1].x += 1e-7F;
  for (const Character* odd : {&source, &point, &twins})
    for (const TransferMethod via : {TransferMethod::Closest, TransferMethod::Robust})
      EXPECT_EQ(transferSkin(*odd, target, {.via = via}).error().code, ErrorCode::NoMesh);
  // A line has three corners and closest points, if no area.
  Character line = target;
  for (std::size_t v = 0; v < line.mesh.positions.size(); ++v)
    line.mesh.positions[v] = {0, 0.01F * static_cast<float>(v), 0};
  for (const TransferMethod via : {TransferMethod::Closest, TransferMethod::Robust}) {
    const auto result = transferSkin(line, target, {.via = via});
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(findUnweighted(result->weights), 0U);
  }
}

TEST(Inpaint, ContinuesALinearRamp) {
  const Mesh sheet = grid(10, 4);
  const std::size_t count = sheet.positions.size();
  SparseWeights rows(count, 2);
  std::vector<char> known(count, 0);
  for (std::size_t v = 0; v < count; ++v) {
    const float share = sheet.positions[v].x / 10;
    rows.jointRow(v)[0] = 0, rows.jointRow(v)[1] = 1;
    rows.weightRow(v)[0] = 1 - share, rows.weightRow(v)[1] = share;
    known[v] = sheet.positions[v].x < 3.5F || sheet.positions[v].x > 6.5F ? 1 : 0;
    if (known[v] == 0) { // wrong, to be replaced
      rows.weightRow(v)[0] = 1;
      rows.weightRow(v)[1] = 0;
    }
  }
  const transfer::Inpainted result = transfer::inpaintRows(sheet, known, rows);
  EXPECT_EQ(result.filled, 15U);
  EXPECT_TRUE(result.unreachable.empty());
  for (std::size_t v = 0; v < count; ++v)
    EXPECT_NEAR(placeOf(rows, v), static_cast<double>(sheet.positions[v].x) / 10, 0.02);
}

// Some exporters write triangles without area; vertices connected only by them are inpainted too.
TEST(Inpaint, TrianglesWithoutAreaAreNoHoles) {
  Mesh sheet = grid(10, 4);
  const auto loose = static_cast<std::uint32_t>(sheet.positions.size());
  const std::uint32_t four = 2 * 11 + 4, five = four + 1; // at (4, 0, 2) and (5, 0, 2)
  sheet.triangles.push_back({four, five, loose});         // along x: no area, exactly
  sheet.positions.push_back({4.5F, 0, 2});
  SparseWeights rows(sheet.positions.size(), 2);
  std::vector<char> known(sheet.positions.size(), 0);
  for (std::size_t v = 0; v < sheet.positions.size(); ++v) {
    rows.jointRow(v)[0] = sheet.positions[v].x < 5 ? 0 : 1;
    rows.weightRow(v)[0] = 1;
    known[v] = sheet.positions[v].x < 3.5F || sheet.positions[v].x > 6.5F ? 1 : 0;
  }
  const transfer::Inpainted result = transfer::inpaintRows(sheet, known, rows);
  EXPECT_EQ(result.filled, 16U);
  for (std::size_t v = 0; v < sheet.positions.size(); ++v) {
    EXPECT_NEAR(rows.weightRow(v)[0] + rows.weightRow(v)[1], 1, 1e-5) << v;
    if (known[v] != 0) continue;
    const double x = static_cast<double>(sheet.positions[v].x);
    EXPECT_NEAR(placeOf(rows, v), (x - 3) / 4, 0.15) << x;
  }
}

} // namespace
} // namespace skincells::test
