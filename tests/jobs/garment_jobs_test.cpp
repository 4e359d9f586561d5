// Garments through `bind` on files: beside the body, inside the character, in layers.
#include <algorithm>
#include <filesystem>

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
  const auto judges = [&](const std::string& name) {
    return std::ranges::any_of(bound->verdict.findings, [&](const Finding& f) { return f.threshold.name == name; });
  };
  EXPECT_TRUE(judges("penetration_percent"));
  EXPECT_FALSE(judges("size_factor")); // a garment need not fill the skeleton
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

TEST_F(GarmentJobs, ABodyMayBeAFileWithoutASkinAndItsField) {
  write("plain.glb", {{"body", body_.mesh}}, false);
  BindJob body_job = job("plain.glb");
  body_job.field.field = path("plain.skc");
  ASSERT_TRUE(run(body_job));
  BindJob on_skin = job("garment.glb");
  on_skin.wear.body = path("out.glb");
  on_skin.output = path("on_skin.glb");
  on_skin.bind.quality = BindQuality::Draft;
  BindJob on_field = on_skin;
  on_field.wear.body = path("plain.glb");
  on_field.output = path("on_field.glb");
  const auto a = run(on_skin), b = run(on_field);
  ASSERT_TRUE(a && b);
  // The weights of the file are rounded, those of the field are not.
  EXPECT_NEAR(a->garments[0].skins[0].quality.stretch_p99, b->garments[0].skins[0].quality.stretch_p99, 0.05);
  EXPECT_NEAR(a->garments[0].skins[0].quality.penetration.vertex_percent,
              b->garments[0].skins[0].quality.penetration.vertex_percent, 0.5);
}

TEST_F(GarmentJobs, SeveralFilesAreWornOverEachOtherAndWrittenToAFolder) {
  write("shell.glb", {{"coat", sleeve(0.55)}}, false);
  OutfitJob outfit{job("garment.glb"), {path("shell.glb")}};
  outfit.bind.wear.body = path("body.glb");
  outfit.bind.output = path("outfit");
  outfit.bind.write.force = false;
  const auto wear = [&]() -> Result<OutfitOutcome> {
    OutputSet outputs;
    auto outcome = run(outfit, outputs);
    if (!outcome) return outcome;
    if (auto committed = outputs.commit(); !committed) return committed.error();
    return outcome;
  };
  const auto worn = wear();
  ASSERT_TRUE(worn) << worn.error().text();
  ASSERT_EQ(worn->garments.size(), 2U);
  const auto json = nlohmann::json::parse(documentOf(*worn).json);
  EXPECT_EQ(json["command"], "bind_outfit");
  EXPECT_EQ(json["garments"][1]["output"]["path"], path("outfit/shell.glb"));
  // The same as one after the other, the inner ones as part of the body.
  BindJob one = job("garment.glb");
  one.wear.body = path("body.glb");
  ASSERT_TRUE(run(one));
  EXPECT_EQ(test::readBytes(path("out.glb")), test::readBytes(path("outfit/garment.glb")));
  BindJob two = job("shell.glb");
  two.wear.body = path("body.glb") + "," + path("outfit/garment.glb");
  two.write.quantize = outfit.bind.write.quantize;
  const auto second = run(two);
  ASSERT_TRUE(second) << second.error().text();
  EXPECT_NEAR(second->garments[0].skins[0].quality.penetration.vertex_percent,
              worn->garments[1].garments[0].skins[0].quality.penetration.vertex_percent, 1);
  // Files and folders are not replaced, and mistakes are explained.
  EXPECT_FALSE(wear());
  outfit.bind.output = path("other");
  outfit.bind.wear.layers = "sleeve,coat";
  EXPECT_EQ(wear().error().where, "--layers");
  outfit.bind.wear.layers = "";
  outfit.bind.wear.body = "";
  EXPECT_EQ(wear().error().where, "--body");
  outfit.bind.wear.body = path("body.glb");
  outfit.outer = {path("missing.glb")};
  EXPECT_FALSE(wear());
  EXPECT_FALSE(std::filesystem::exists(path("other")));
  outfit.outer = {path("garment.glb")}; // the same name twice
  EXPECT_FALSE(wear());
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
  // What is no garment is bound as without garments, and a garment starts from that bind.
  const auto file = CharacterFile::read(path("all.glb"));
  ASSERT_TRUE(file);
  const auto whole = bind(file->character(), layered.bind);
  ASSERT_TRUE(whole);
  for (std::size_t v = 0; v < body_.mesh.positions.size(); ++v)
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_EQ(bound->result.weights.weightRow(v)[k], whole->weights.weightRow(v)[k]);
  for (const GarmentOutcome& garment : bound->garments) {
    ASSERT_EQ(garment.skins.size(), 5U);
    EXPECT_EQ(garment.skins[1].method, "whole");
    EXPECT_LE(garment.skins[0].quality.penetration.vertex_percent,
              garment.skins[1].quality.penetration.vertex_percent + 0.1);
  }
}

// A garment with own joints has one verdict: that of its bind, in which the body pushes them.
TEST_F(GarmentJobs, CheckAndCompareMeasureGarmentsOverTheirBody) {
  BindJob bind_job = job("garment.glb");
  bind_job.wear.body = path("body.glb");
  const auto bound = run(bind_job);
  ASSERT_TRUE(bound) << bound.error().text();

  CheckJob check_job{path("out.glb"), {}, {.body = path("body.glb")}};
  const auto checked = run(check_job);
  ASSERT_TRUE(checked) << checked.error().text();
  ASSERT_TRUE(checked->verdict.has_value());
  EXPECT_EQ(checked->verdict->poses, bound->verdict.poses);
  EXPECT_EQ(checked->verdict->grade, bound->verdict.grade);
  ASSERT_EQ(checked->verdict->findings.size(), bound->verdict.findings.size());
  for (std::size_t i = 0; i < checked->verdict->findings.size(); ++i) // the file has quantized weights
    EXPECT_NEAR(checked->verdict->findings[i].value, bound->verdict.findings[i].value, 0.1)
        << checked->verdict->findings[i].threshold.name;
  const auto json = nlohmann::json::parse(documentOf(*checked).json);
  EXPECT_EQ(json["garments"][0]["skins"].size(), 1U);
  EXPECT_EQ(json["options"]["body"], path("body.glb"));

  BindJob near = bind_job;
  near.wear = {};
  near.bind = {};
  near.bind.method = BindMethod::Proximity;
  near.output = path("near.glb");
  ASSERT_TRUE(run(near));
  CompareJob compare_job{path("out.glb"), {path("near.glb")}, {}, {.body = path("body.glb")}};
  const auto compared = run(compare_job);
  ASSERT_TRUE(compared) << compared.error().text();
  ASSERT_EQ(compared->garments.size(), 1U);
  ASSERT_EQ(compared->garments[0].skins.size(), 2U);
  EXPECT_EQ(compared->garments[0].skins[0].quality.penetration.vertex_percent,
            checked->garments[0].skins[0].quality.penetration.vertex_percent);
  EXPECT_NE(documentOf(*compared).text.find("near.glb: "), std::string::npos);
  compare_job.wear.body = path("garment.glb"); // not skinned
  EXPECT_NE(run(compare_job).error().message.find("bind it first"), std::string::npos);
}

TEST_F(GarmentJobs, PartsOfASkinnedCharacterAreMeasuredOverTheRest) {
  BindJob whole = job("all.glb");
  ASSERT_TRUE(run(whole));
  CheckJob check_job{path("out.glb"), {}, {.layers = "sleeve,coat"}};
  const auto checked = run(check_job);
  ASSERT_TRUE(checked) << checked.error().text();
  ASSERT_EQ(checked->garments.size(), 2U);
  EXPECT_EQ(checked->garments[1].name, "coat");
  check_job.wear.layers = "hat";
  EXPECT_EQ(run(check_job).error().where, "--layers");
  check_job.wear = {.garment = "*"};
  EXPECT_NE(run(check_job).error().message.find("--body"), std::string::npos);
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
