// Writing new skins, and skins with added joints.
#include <algorithm>

#include <gtest/gtest.h>

#include "skincells/bind.h"
#include "skincells/jobs/check_job.h"
#include "support/files.h"
#include "support/gltf_builder.h"
#include "support/preservation.h"
#include "support/validator.h"

namespace skincells::test {
namespace {

class GltfNewSkin : public testing::Test {
protected:
  // Binds the document to all its joints and reads the result back.
  CharacterFile boundAndRead(const GltfBuilder& b, const ReadOptions& options = {}) {
    const CharacterFile in = b.read(options);
    BindOptions bind_options;
    bind_options.joints = "all";
    auto result = bind(in.character(), bind_options);
    if (!result) throw std::runtime_error(result.error().text());
    const auto written = in.write(out_.string(), result->weights);
    if (!written) throw std::runtime_error(written.error().text());
    auto file = CharacterFile::read(out_.string());
    if (!file) throw std::runtime_error(file.error().text());
    expectSamePose(in.character(), file->character());
    return std::move(*file);
  }
  // Mesh and joints have the same positions relative to each other.
  static void expectSamePose(const Character& a, const Character& b) {
    ASSERT_EQ(a.mesh.positions.size(), b.mesh.positions.size());
    const int joint = b.skeleton.find(a.skeleton.joints[0].name);
    ASSERT_GE(joint, 0);
    const Affine a_from_b =
        a.skeleton.joints[0].bind * b.skeleton.joints[static_cast<std::size_t>(joint)].bind.inverse();
    for (std::size_t v = 0; v < a.mesh.positions.size(); ++v)
      EXPECT_LE(length(a_from_b.apply(toDouble(b.mesh.positions[v])) - toDouble(a.mesh.positions[v])), 1e-4) << v;
  }
  void expectValid() {
    if (!hasValidator()) return;
    EXPECT_EQ(newIssues({{"", out_}})[0], "");
  }
  TemporaryFolder folder_;
  std::filesystem::path out_ = folder_.path("out.glb");
};

TEST_F(GltfNewSkin, IsMadeForABareMesh) {
  const CharacterFile file = boundAndRead(BareTubeDocument(4));
  EXPECT_EQ(file.info().skin_count, 1);
  EXPECT_EQ(file.character().skeleton.jointCount(), 4);
  EXPECT_TRUE(checkSkin(file).passed);
  EXPECT_EQ(loadDocument(out_).model.nodes[0].skin, 0); // at the root, untransformed: stays where it is
  expectValid();
}

TEST_F(GltfNewSkin, MovesTransformedMeshesToTheRoot) {
  BareTubeDocument b(4);
  b.at("nodes", 0)["translation"] = {0, 0.25, 0};
  b.at("nodes", 0)["weights"] = {0.5};
  b.json["meshes"][0]["primitives"][0]["targets"] = Json::array({{{"POSITION", b.parts.position}}});
  b.adopt(b.node({{"name", "holder"}, {"scale", {2, 2, 2}}}), 0);
  b.adopt(5, 1); // the skeleton is below it too, so there is no other tree
  b.json["animations"] =
      Json::array({{{"samplers", Json::array({{{"input", b.data(std::vector<float>{0, 1}, "SCALAR")},
                                               {"output", b.data(std::vector<float>{0, 1}, "SCALAR")}}})},
                    {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}})}}});
  b.at("accessors", b.json["animations"][0]["samplers"][0]["input"])["min"] = {0};
  b.at("accessors", b.json["animations"][0]["samplers"][0]["input"])["max"] = {1};
  const CharacterFile file = boundAndRead(b);
  const auto doc = loadDocument(out_);
  const auto skinned =
      std::find_if(doc.model.nodes.begin(), doc.model.nodes.end(), [](const io::GltfNode& n) { return n.skin >= 0; });
  ASSERT_NE(skinned, doc.model.nodes.end());
  EXPECT_EQ(skinned->parent, -1);
  EXPECT_EQ(skinned->name, "tube_skinned");
  EXPECT_EQ(doc.model.nodes[0].mesh, -1);
  const int index = static_cast<int>(skinned - doc.model.nodes.begin());
  EXPECT_EQ(doc.json["nodes"][static_cast<std::size_t>(index)]["weights"], Json({0.5}));
  // Its morph weights are still animated.
  EXPECT_EQ(doc.json["animations"][0]["channels"][0]["target"]["node"], index);
  const auto& roots = doc.json["scenes"][0]["nodes"];
  EXPECT_NE(std::find(roots.begin(), roots.end(), Json(index)), roots.end());
  expectValid();
}

TEST_F(GltfNewSkin, ComesWithTheRigOfAnotherFile) {
  TubeDocument rig(3);
  rig.adopt(rig.node({{"name", "rig root"}, {"scale", {2, 2, 2}}}), 1);
  writeBytes(folder_.path("rig.glb"), rig.glb());
  ReadOptions options;
  options.rig = folder_.path("rig.glb").string();
  const CharacterFile file = boundAndRead(BareTubeDocument(0), options);
  EXPECT_EQ(file.character().skeleton.jointCount(), 3);
  EXPECT_EQ(file.info().node_count, 5); // mesh, rig root, three joints
  expectValid();
}

TEST_F(GltfNewSkin, GetsTheInverseBindMatricesThatWereMissing) {
  TubeDocument b(3);
  b.json["skins"][0].erase("inverseBindMatrices");
  const CharacterFile file = boundAndRead(b);
  EXPECT_FALSE(hasWarning(file, "skin.bind_missing"));
  EXPECT_LE(length(file.character().skeleton.bindPosition(2) - Vec3d{0, 8.0 / 3, 0}), 1e-5);
  EXPECT_TRUE(checkSkin(file).passed);
  expectValid();
}

// The tube twice: mesh 0 skinned to joint 1 by skin 0, mesh 1 to joint 2 by skin 1. Bound to all joints, both need
// both.
TubeDocument twoSkins() {
  TubeDocument b(2);
  b.attributes()["JOINTS_0"] = b.data(std::vector<std::uint8_t>(4 * b.parts.mesh.positions.size(), 0), "VEC4");
  b.json["skins"][0] = {{"joints", {1}}, {"inverseBindMatrices", b.matrices({Affine{}})}, {"skeleton", 1}};
  b.add("meshes", Json(b.json["meshes"][0]));
  b.node({{"mesh", 1}, {"skin", b.skin({2}, b.matrices({Affine::fromTranslation({0, -2, 0})}))}});
  b.json["skins"][1]["skeleton"] = 2;
  return b;
}

TEST_F(GltfNewSkin, GetsTheJointThatItLacked) {
  const CharacterFile file = boundAndRead(twoSkins());
  const auto doc = loadDocument(out_);
  EXPECT_EQ(doc.model.skins[0].joints, (std::vector<int>{1, 2})); // the old ones first
  EXPECT_EQ(doc.model.skins[1].joints, (std::vector<int>{2, 1}));
  EXPECT_EQ(doc.json["skins"][0]["skeleton"], 1);
  EXPECT_FALSE(doc.json["skins"][1].contains("skeleton")); // joint 1 is not below it
  EXPECT_TRUE(checkSkin(file).passed);
  expectValid();
}

TEST_F(GltfNewSkin, SkinsOfOneMeshAreExtendedAlike) {
  TubeDocument b = twoSkins();
  Json again = b.json["skins"][0]; // another skin over the same joint shows mesh 0, too
  b.node({{"mesh", 0}, {"skin", b.add("skins", std::move(again))}});
  const CharacterFile file = boundAndRead(b);
  const auto doc = loadDocument(out_);
  EXPECT_EQ(doc.model.skins[0].joints, (std::vector<int>{1, 2}));
  EXPECT_EQ(doc.model.skins[2].joints, (std::vector<int>{1, 2}));
  EXPECT_TRUE(checkSkin(file).passed);
  expectValid();
}

TEST_F(GltfNewSkin, CopiesAMeshThatTwoSkinsShare) {
  TubeDocument b(2);
  const int left = b.node({{"name", "left"}}), right = b.node({{"name", "right"}, {"translation", {0, 2, 0}}});
  b.adopt(left, right);
  b.node({{"name", "twin"}, {"mesh", 0}, {"skin", b.skin({left, right}, b.parts.inverse_bind)}});
  const CharacterFile in = b.read();
  const std::size_t n = b.parts.mesh.positions.size();
  // Each copy rigidly to the second joint of its own skin.
  SparseWeights w(2 * n, 1);
  for (std::size_t v = 0; v < 2 * n; ++v)
    w.weights[v] = 1,
    w.joints[v] = static_cast<std::uint16_t>(in.character().skeleton.find(v < n ? "joint1" : "right"));
  ASSERT_TRUE(in.write(out_.string(), w));
  const auto file = CharacterFile::read(out_.string());
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_EQ(file->info().mesh_count, 2);
  EXPECT_EQ(file->character().weights.joints.size() / static_cast<std::size_t>(file->character().weights.slots), 2 * n);
  for (std::size_t v = 0; v < 2 * n; ++v)
    EXPECT_EQ(file->character().skeleton.joints[file->character().weights.jointRow(v)[0]].name,
              v < n ? "joint1" : "right");
  expectValid();
}

TEST_F(GltfNewSkin, TheValidatorReportsBrokenFiles) {
  SKINCELLS_NEEDS_VALIDATOR();
  writeText(out_, "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"mesh\": 7}]}");
  EXPECT_NE(newIssues({{"", out_}})[0].find("UNRESOLVED_REFERENCE"), std::string::npos);
}

} // namespace
} // namespace skincells::test
