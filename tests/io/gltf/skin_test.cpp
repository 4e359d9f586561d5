// Reading skins: bind spaces, joints, inverse bind matrices, and the weights that a file already has.
#include <gtest/gtest.h>

#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/io/scene.h"
#include "skincells/jobs/check_job.h"
#include "support/files.h"
#include "support/gltf_builder.h"

namespace skincells::test {
namespace {

void expectNear(const Vec3d& actual, const Vec3d& expected, double tolerance = 1e-6) {
  EXPECT_LE(length(actual - expected), tolerance) << actual.x << " " << actual.y << " " << actual.z;
}

TEST(GltfSkin, ReadsJointsAndWeights) {
  const TubeDocument b(4);
  const CharacterFile file = b.read();
  const Character& c = file.character();
  ASSERT_EQ(c.skeleton.jointCount(), 4);
  for (int j = 0; j < 4; ++j) {
    EXPECT_EQ(c.skeleton.joints[static_cast<std::size_t>(j)].parent, j - 1);
    expectNear(c.skeleton.bindPosition(j), {0, static_cast<double>(j), 0});
  }
  ASSERT_EQ(c.weights.vertexCount(), c.mesh.positions.size());
  EXPECT_TRUE(file.skinDefects().empty());
  EXPECT_TRUE(file.warnings().empty());
  EXPECT_EQ(file.info().skeleton_source, "the file's skin");
}

TEST(GltfSkin, MatricesOfATinyCharacterAreNotMissing) {
  constexpr double kSize = 1e-7;
  Scene scene;
  scene.nodes.resize(3);
  scene.nodes[0].mesh = scene.nodes[0].skin = 0;
  scene.nodes[1].name = "hips";
  scene.nodes[2].name = "head";
  scene.nodes[2].parent = 1;
  scene.nodes[2].translation = {0, kSize, 0};
  scene.skins = {{"skin", {1, 2}, {Affine{}, Affine::fromTranslation({0, -2 * kSize, 0})}}};
  ScenePrimitive p;
  for (int v = 0; v < 3; ++v) p.positions.push_back(toFloat({v % 2 * kSize, v * kSize, 0}));
  p.triangles = {{0, 1, 2}};
  p.weights = SparseWeights(3, 1);
  std::fill(p.weights.weights.begin(), p.weights.weights.end(), 1.0F);
  scene.meshes = {{"mesh", {p}}};
  const auto file = CharacterFile::readGlb(sceneToGlb(scene), "tiny.glb");
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_TRUE(file->skinDefects().empty());
  expectNear(file->character().skeleton.bindPosition(1), {0, 2 * kSize, 0}, 1e-3 * kSize);
}

TEST(GltfSkin, BindPoseIsNotTheRestPose) {
  TubeDocument b(8);
  b.at("nodes", 6)["rotation"] = {0, 0, 0.70710678, 0.70710678}; // joint 5 bent by 90 degrees in the node tree
  const CharacterFile file = b.read();
  const Skeleton& s = file.character().skeleton;
  expectNear(s.joints[7].bind.translation(), {0, 3.5, 0});
  expectNear(s.joints[7].rest.translation(), {-1, 2.5, 0});
  expectNear(s.joints[2].rest.translation(), {0, 1, 0}); // where most joints agree, the poses are the same
  EXPECT_NEAR(file.info().bind_rest_rotation, 90, 1e-3);
  EXPECT_GT(file.info().bind_rest_offset, 10);
}

TEST(GltfSkin, ANodeBelowALeafMarksTheEndOfItsBone) {
  TubeDocument b(4);
  const int end = b.node({{"name", "joint3_end"}, {"translation", {0, 0.5, 0}}});
  b.adopt(4, end); // node 0 is the mesh
  ASSERT_EQ(b.at("nodes", 4)["name"], "joint3");
  const Joint leaf = b.read().character().skeleton.joints[3];
  ASSERT_TRUE(leaf.tip.has_value());
  expectNear(*leaf.tip, {0, 0.5, 0});
  EXPECT_FALSE(b.read().character().skeleton.joints[2].tip.has_value());

  b.adopt(4, b.node({{"name", "grip"}, {"translation", {0.5, 0, 0}}})); // which one is the end?
  EXPECT_FALSE(b.read().character().skeleton.joints[3].tip.has_value());
}

TEST(GltfSkin, BringsSkinsWithDifferentBindSpacesTogether) {
  // The same mesh twice, the second one authored 100 times larger and turned; its skin undoes that.
  TubeDocument b(2);
  const double q[4] = {0, 0, 0.70710678118654752, 0.70710678118654752};
  const Affine skin_from_big = Affine::fromTrs({0, 0, 0}, q, {0.01, 0.01, 0.01});
  std::vector<Vec3f> big;
  for (const Vec3f& p : b.parts.mesh.positions) big.push_back(toFloat(skin_from_big.inverse().apply(toDouble(p))));
  const int mesh = b.mesh(
      {{"attributes", {{"POSITION", b.positions(big)}, {"JOINTS_0", b.parts.joints}, {"WEIGHTS_0", b.parts.weights}}},
       {"indices", b.parts.indices}});
  std::vector<Affine> inverse;
  for (int j = 0; j < 2; ++j) inverse.push_back(Affine::fromTranslation({0, -2.0 * j, 0}) * skin_from_big);
  const int skin = b.skin({2, 1}, b.matrices({inverse[1], inverse[0]})); // in another order, too
  b.node({{"mesh", mesh}, {"skin", skin}});
  const CharacterFile file = b.read();
  const Character& c = file.character();
  EXPECT_EQ(c.skeleton.jointCount(), 2);
  const std::size_t n = b.parts.mesh.positions.size();
  ASSERT_EQ(c.mesh.positions.size(), 2 * n);
  for (std::size_t v = 0; v < n; ++v)
    expectNear(toDouble(c.mesh.positions[n + v]), toDouble(c.mesh.positions[v]), 1e-4);
  // Its joint 0 is the other's joint 1.
  EXPECT_EQ(c.weights.jointRow(0)[0], 0);
  EXPECT_EQ(c.weights.jointRow(n)[0], 1);
  EXPECT_EQ(file.info().skeleton_source, "2 skins of the file");
}

TEST(GltfSkin, PlacesSkinsWithoutSharedJointsByTheNodeTree) {
  TubeDocument b(1);
  const int hat = b.node({{"name", "hat"}, {"translation", {0, 5, 0}}});
  b.adopt(1, hat);
  const int mesh = b.mesh({{"attributes", {{"POSITION", b.positions({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})}}}});
  const int skin = b.skin({hat}, b.matrices({Affine{}})); // the hat's mesh space is its joint space
  b.node({{"mesh", mesh}, {"skin", skin}});
  const CharacterFile file = b.read();
  const Character& c = file.character();
  expectNear(toDouble(c.mesh.positions.back()), {0, 6, 0});
  expectNear(c.skeleton.bindPosition(1), {0, 5, 0});
  EXPECT_EQ(c.skeleton.joints[1].parent, 0);
}

TEST(GltfSkin, ReadsASharedMeshWithOneSkinOnce) {
  TubeDocument b(2);
  b.node({{"name", "again"}, {"mesh", 0}, {"skin", 0}});
  EXPECT_EQ(b.read().character().mesh.vertexCount(), b.parts.mesh.vertexCount());
}

TEST(GltfSkin, ReadsASharedMeshWithTwoSkinsTwice) {
  TubeDocument b(2);
  const int left = b.node({{"name", "left"}}), right = b.node({{"name", "right"}});
  const int skin = b.skin({left, right}, b.parts.inverse_bind);
  b.node({{"name", "twin"}, {"mesh", 0}, {"skin", skin}});
  const CharacterFile file = b.read();
  const Character& c = file.character();
  const std::size_t n = b.parts.mesh.positions.size();
  ASSERT_EQ(c.mesh.positions.size(), 2 * n);
  EXPECT_EQ(c.skeleton.jointCount(), 4);
  EXPECT_EQ(c.weights.jointRow(n)[0], c.skeleton.find("left"));
}

TEST(GltfSkin, ForgivesJointsOutOfRangeUnderZeroWeight) {
  TubeDocument b(2);
  std::vector<std::uint8_t> joints;
  for (std::size_t v = 0; v < b.parts.mesh.positions.size(); ++v) joints.insert(joints.end(), {0, 200, 0, 1});
  b.attributes()["JOINTS_0"] = b.data(joints, "VEC4");
  const CharacterFile file = b.read();
  EXPECT_TRUE(hasDefect(file, "joints.out_of_range_unused"));
  EXPECT_TRUE(hasDefect(file, "joints.under_zero_weight"));
  EXPECT_FALSE(hasWarning(file, "joints.out_of_range"));
  EXPECT_TRUE(checkSkin(file).passed);
  EXPECT_EQ(file.character().weights.weightRow(0)[0], 1.0f);
}

TEST(GltfSkin, DropsWeightedJointsOutOfRange) {
  TubeDocument b(2);
  b.attributes()["JOINTS_0"] = b.data(std::vector<std::uint8_t>(4 * b.parts.mesh.positions.size(), 200), "VEC4");
  const CharacterFile file = b.read();
  EXPECT_TRUE(hasWarning(file, "joints.out_of_range"));
  EXPECT_FALSE(checkSkin(file).passed);
}

TEST(GltfSkin, NamesEveryDefectOfWeights) {
  const std::vector<std::pair<std::string, std::vector<float>>> cases{
      {"weights.not_finite", {NAN, 1, 0, 0}},        {"weights.negative", {1.5f, -0.5f, 0, 0}},
      {"weights.unweighted", {0, 0, 0, 0}},          {"weights.not_normalized", {0.5f, 0, 0, 0}},
      {"weights.unsorted", {0.25f, 0.75f, 0, 0}},    {"weights.not_exactly_normalized", {0.99f, 0, 0, 0}},
      {"joints.duplicate", {0.5f, 0, 0.25f, 0.25f}},
  };
  for (const auto& [code, row] : cases) {
    TubeDocument b(2);
    std::vector<float> weights;
    std::vector<std::uint8_t> joints;
    for (std::size_t v = 0; v < b.parts.mesh.positions.size(); ++v) {
      weights.insert(weights.end(), row.begin(), row.end());
      joints.insert(joints.end(), {0, 1, 1, 1});
    }
    b.attributes()["WEIGHTS_0"] = b.data(weights, "VEC4");
    b.attributes()["JOINTS_0"] = b.data(joints, "VEC4");
    const CharacterFile file = b.read();
    EXPECT_TRUE(hasDefect(file, code)) << code;
    for (const Defect& d : file.skinDefects()) {
      EXPECT_EQ(d.where.rfind("/meshes/0/primitives/0/attributes/", 0), 0U) << d.where;
      EXPECT_FALSE(d.advice.empty());
    }
    // The rows are canonical, whatever the file contains.
    for (float w : file.character().weights.weights) EXPECT_TRUE(w >= 0 && w <= 1) << code;
  }
}

TEST(GltfSkin, TakesTheRestPoseWhereInverseBindMatricesAreMissing) {
  TubeDocument b(2);
  b.json["skins"][0].erase("inverseBindMatrices");
  const CharacterFile file = b.read();
  EXPECT_TRUE(hasWarning(file, "skin.bind_missing"));
  EXPECT_TRUE(hasDefect(file, "skin.bind_missing"));
  expectNear(file.character().skeleton.bindPosition(1), {0, 2, 0});
}

TEST(GltfSkin, TakesTheRestPoseWhereAllMatricesAreTheIdentity) {
  TubeDocument b(2);
  b.json["skins"][0]["inverseBindMatrices"] = b.matrices({Affine{}, Affine{}});
  const CharacterFile file = b.read();
  EXPECT_TRUE(hasWarning(file, "skin.bind_missing"));
  expectNear(file.character().skeleton.bindPosition(1), {0, 2, 0});
}

// A mesh in centimeters whose node scales, turns and moves it to its skeleton.
TEST(GltfSkin, RespectsTheNodeOfAMeshWithoutInverseBindMatrices) {
  TubeDocument b(2);
  b.json["skins"][0].erase("inverseBindMatrices");
  b.at("nodes", 0)["scale"] = {0.01, 0.01, 0.01};
  b.at("nodes", 0)["rotation"] = {0, 0, 1, 0}; // half a turn about z
  b.at("nodes", 0)["translation"] = {3, 0, 0};
  const CharacterFile file = b.read();
  EXPECT_FALSE(hasWarning(file, "skin.places_differ"));
  const Skeleton& skeleton = file.character().skeleton;
  expectNear(skeleton.bindPosition(0), {300, 0, 0}, 1e-9);
  expectNear(skeleton.bindPosition(1), {300, -200, 0}, 1e-9);
  EXPECT_NEAR(file.info().meters_per_unit, 0.01, 1e-9);
  // The matrices that are written say the same without the node.
  TemporaryFolder folder;
  const std::string path = folder.path("out.glb").string();
  ASSERT_TRUE(file.write(path, file.character().weights));
  const auto again = CharacterFile::read(path);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_FALSE(hasWarning(*again, "skin.bind_missing"));
  expectNear(again->character().skeleton.bindPosition(1), {300, -200, 0}, 1e-3);

  // A second mesh with the same skin elsewhere: one set of matrices cannot serve both.
  b.node({{"mesh", 0}, {"skin", 0}, {"translation", {7, 0, 0}}});
  EXPECT_TRUE(hasWarning(b.read(), "skin.places_differ"));
  // A node without extent has no place.
  b.at("nodes", 0)["scale"] = {0, 0, 0};
  b.json["nodes"].back().erase("translation");
  expectNear(b.read().character().skeleton.bindPosition(1), {0, 2, 0});
}

TEST(GltfSkin, PlacesAJointWithASingularMatrixByTheNodeTree) {
  TubeDocument b(3);
  Affine flat;
  flat.m[1][1] = 0;
  const auto back = [](double y) { return Affine::fromTranslation({0, -y, 0}); };
  b.json["skins"][0]["inverseBindMatrices"] = b.matrices({back(0), back(4.0 / 3), flat});
  const CharacterFile file = b.read();
  EXPECT_TRUE(hasWarning(file, "skin.bind_singular"));
  const Joint& joint = file.character().skeleton.joints[2];
  EXPECT_FALSE(joint.bind_usable);
  expectNear(joint.bind.translation(), {0, 8.0 / 3, 0}, 1e-5);
  EXPECT_NE(file.warnings()[0].where.find("#/skins/0/joints/2"), std::string::npos);
}

// Without inverse bind matrices, the bind pose comes from the node tree, in which a joint may have no extent.
TEST(GltfSkin, WritesUsableMatricesForJointsScaledToNothing) {
  TubeDocument b(4);
  b.json["skins"][0].erase("inverseBindMatrices");
  b.at("nodes", 2)["scale"] = {0, 1, 1};
  const CharacterFile file = b.read();
  EXPECT_TRUE(hasWarning(file, "skin.bind_singular"));
  const auto result = bind(file.character(), {.method = BindMethod::Heat});
  ASSERT_TRUE(result);
  const TemporaryFolder folder;
  ASSERT_TRUE(file.write(folder.path("out.glb").string(), result->weights));
  const auto again = CharacterFile::read(folder.path("out.glb").string());
  ASSERT_TRUE(again);
  EXPECT_FALSE(hasDefect(*again, "skin.bind_singular"));
}

TEST(GltfSkin, WarnsAboutFourthRows) {
  TubeDocument b(2);
  EXPECT_FALSE(hasWarning(b.read(), "skin.bind_row"));
  std::vector<float> numbers{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  numbers.insert(numbers.end(), {1, 0, 0, 0.5F, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  b.json["skins"][0]["inverseBindMatrices"] = b.data(numbers, "MAT4");
  EXPECT_TRUE(hasWarning(b.read(), "skin.bind_row"));
}

TEST(GltfSkin, SurvivesMatricesThatAreNotNumbers) {
  TubeDocument b(2);
  Affine broken;
  broken.m[0][3] = NAN;
  b.json["skins"][0]["inverseBindMatrices"] = b.matrices({broken, broken});
  const CharacterFile file = b.read();
  EXPECT_TRUE(hasWarning(file, "skin.bind_singular"));
  for (const Joint& j : file.character().skeleton.joints) EXPECT_TRUE(j.bind.isFinite());
  EXPECT_TRUE(bind(file.character()));
}

TEST(GltfSkin, NamesUnnamedJointsAndKeepsDuplicates) {
  TubeDocument b(3);
  b.at("nodes", 1).erase("name");
  b.at("nodes", 2)["name"] = b.at("nodes", 3)["name"] = "same";
  const CharacterFile file = b.read();
  const Skeleton& s = file.character().skeleton;
  EXPECT_EQ(s.joints[0].name, "node_1");
  EXPECT_EQ(s.joints[1].name, "same");
  EXPECT_EQ(s.joints[2].name, "same");
  EXPECT_EQ(s.find("same"), 1);
  EXPECT_TRUE(bind(file.character()));
}

TEST(GltfSkin, LeavesOutMeshesWithoutASkin) {
  TubeDocument b(2);
  b.node({{"name", "weapon"}, {"mesh", b.mesh({{"attributes", {{"POSITION", b.positions(zigzag(5))}}}})}});
  const CharacterFile file = b.read();
  EXPECT_EQ(file.character().mesh.vertexCount(), b.parts.mesh.vertexCount());
  EXPECT_EQ(file.info().unskinned_mesh_node_count, 1);
  EXPECT_EQ(file.info().unskinned_vertex_count, 5U);
}

TEST(GltfSkin, IgnoresTheTransformOfASkinnedNode) {
  TubeDocument b(2);
  const int parent = b.node({{"scale", {3, 3, 3}}, {"translation", {7, 0, 0}}});
  b.adopt(parent, 0);
  EXPECT_EQ(b.read().character().mesh.positions, b.parts.mesh.positions);
}

TEST(GltfSkin, ReportsUnitsAndUpAxis) {
  TubeDocument b(2);
  const double half = 0.70710678118654752;
  const int parent = b.node({{"scale", {0.01, 0.01, 0.01}}, {"rotation", {half, 0, 0, half}}}); // y -> z
  b.adopt(parent, 1);
  const CharacterFile file = b.read();
  EXPECT_NEAR(file.info().meters_per_unit, 0.01, 1e-9);
  EXPECT_EQ(file.info().up_axis, 'Z'); // bind -z points up in the scene
}

} // namespace
} // namespace skincells::test
