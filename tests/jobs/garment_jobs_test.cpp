// Garments through `bind` on files: beside the body, inside the character, in layers.
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "skincells/skincells.h"
#include "support/files.h"
#include "support/shapes.h"

namespace skincells {
namespace {

// A trunk with two legs' worth of joints; sleeves around it are the garments.
class GarmentJobs : public testing::Test {
protected:
  GarmentJobs() {
    write("body.glb", {{"body", body_.mesh}}, true);
    write("garment.glb", {{"sleeve", sleeve(0.5)}}, false);
    write("all.glb", {{"body", body_.mesh}, {"sleeve", sleeve(0.5)}, {"coat", sleeve(0.6)}}, false);
  }

  static Mesh sleeve(double radius) {
    Mesh mesh = test::tube(2.4, radius, 17, 12);
    for (Vec3f& p : mesh.positions) p.y += 0.8F;
    return mesh;
  }
  void write(const std::string& name, const std::vector<std::pair<std::string, Mesh>>& meshes, bool skinned) const {
    Scene scene;
    for (const Joint& joint : body_.skeleton.joints) {
      SceneNode node;
      node.name = joint.name;
      node.parent = joint.parent;
      node.translation = joint.bind.translation();
      if (joint.parent >= 0)
        node.translation -= body_.skeleton.joints[static_cast<std::size_t>(joint.parent)].bind.translation();
      scene.nodes.push_back(node);
    }
    if (skinned) {
      SceneSkin skin;
      for (int j = 0; j < body_.skeleton.jointCount(); ++j) {
        skin.joints.push_back(j);
        skin.inverse_bind_matrices.push_back(body_.skeleton.joints[static_cast<std::size_t>(j)].bind.inverse());
      }
      scene.skins.push_back(skin);
    }
    for (const auto& [mesh_name, mesh] : meshes) {
      ScenePrimitive primitive;
      primitive.positions = mesh.positions;
      primitive.triangles = mesh.triangles;
      if (skinned) primitive.weights = bind(body_, {.method = BindMethod::Proximity, .joints = "all"})->weights;
      SceneNode node;
      node.name = mesh_name;
      node.mesh = static_cast<int>(scene.meshes.size());
      node.skin = skinned ? 0 : -1;
      scene.meshes.push_back({mesh_name, {primitive}});
      scene.nodes.push_back(node);
    }
    test::writeBytes(folder_.path(name), sceneToGlb(scene));
  }
  std::string path(const std::string& name) const { return folder_.path(name).string(); }
  BindJob job(const std::string& input) const {
    BindJob job;
    job.input = path(input);
    job.output = path("out.glb");
    job.bind.quality = BindQuality::Draft;
    job.bind.joints = "all";
    job.write.force = true;
    return job;
  }

  Character body_ = test::tubeCharacter(4);
  test::TemporaryFolder folder_;
};

TEST_F(GarmentJobs, AGarmentFileIsBoundOverItsBodyAndItsFieldGivesTheSameWeights) {
  BindJob bind_job = job("garment.glb");
  bind_job.wear.body = path("body.glb");
  bind_job.field.field = path("out.skc");
  const auto bound = run(bind_job);
  ASSERT_TRUE(bound) << bound.error().text();
  ASSERT_EQ(bound->garments.size(), 1U);
  EXPECT_EQ(bound->garments[0].skins.size(), 4U);
  EXPECT_EQ(bound->garments[0].skins[0].method, "skin-cells");
  EXPECT_TRUE(std::ranges::any_of(bound->verdict.findings,
                                  [](const Finding& f) { return f.threshold.name == "penetration_percent"; }));
  const auto json = nlohmann::json::parse(documentOf(*bound).json);
  EXPECT_EQ(json["garments"][0]["skins"][3]["method"], "robust");
  EXPECT_EQ(json["options"]["margin"], 0.6);
  EXPECT_NE(documentOf(*bound).text.find("inside the body"), std::string::npos);

  ApplyJob apply_job;
  apply_job.field = path("out.skc");
  apply_job.input = path("garment.glb");
  apply_job.output = path("applied.glb");
  const auto applied = run(apply_job);
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_EQ(test::readBytes(path("applied.glb")), test::readBytes(path("out.glb")));
}

TEST_F(GarmentJobs, PartsAndLayersOfACharacterAreBoundFromTheInsideOut) {
  BindJob layered = job("all.glb");
  layered.wear.layers = "sleeve,co*";
  const auto bound = run(layered);
  ASSERT_TRUE(bound) << bound.error().text();
  ASSERT_EQ(bound->garments.size(), 2U);
  EXPECT_EQ(bound->garments[0].name, "sleeve");
  EXPECT_EQ(bound->garments[1].name, "co*");
  const auto written = CharacterFile::read(path("out.glb"));
  ASSERT_TRUE(written);
  EXPECT_EQ(weightStatistics(written->character().weights, 4).unweighted_vertices, 0U);
  // What is no garment is bound as without garments.
  write("bare.glb", {{"body", body_.mesh}}, false);
  const auto bare = CharacterFile::read(path("bare.glb"));
  ASSERT_TRUE(bare);
  const auto alone = bind(bare->character(), layered.bind);
  ASSERT_TRUE(alone);
  for (std::size_t v = 0; v < body_.mesh.positions.size(); ++v)
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_EQ(bound->result.weights.weightRow(v)[k], alone->weights.weightRow(v)[k]);
}

TEST_F(GarmentJobs, MistakesAreExplained) {
  BindJob wrong = job("all.glb");
  wrong.wear.garment = "skirt";
  const auto no_mesh = run(wrong);
  ASSERT_FALSE(no_mesh);
  EXPECT_NE(no_mesh.error().message.find("'sleeve'"), std::string::npos);
  wrong.wear.garment = "*";
  EXPECT_NE(run(wrong).error().message.find("--body"), std::string::npos);
  BindJob field = job("all.glb");
  field.wear.garment = "sleeve";
  field.field.field = path("out.skc");
  EXPECT_EQ(run(field).error().where, "--field");
  BindJob bare = job("garment.glb");
  bare.wear.body = path("all.glb"); // not skinned
  EXPECT_NE(run(bare).error().message.find("bind it first"), std::string::npos);
}

} // namespace
} // namespace skincells
