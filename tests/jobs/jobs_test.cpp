// Jobs called as functions, as a program that links the library does. The command line has its own tests.
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "skincells/skincells.h"
#include "support/files.h"
#include "support/gltf_builder.h"

namespace skincells {
namespace {

class Jobs : public testing::Test {
protected:
  Jobs() { test::writeBytes(folder_.path("in.glb"), test::TubeDocument().glb()); }

  std::string path(const std::string& name) const { return folder_.path(name).string(); }
  BindJob bindJob() const {
    BindJob job{path("in.glb"), path("out.glb"), {}, {}, {}, {path("out.skc")}};
    job.bind.quality = BindQuality::Draft;
    job.bind.joints = "all";
    return job;
  }

  test::TemporaryFolder folder_;
};

nlohmann::json parsed(const Document& document) {
  return nlohmann::json::parse(document.json);
}

TEST_F(Jobs, OutcomesHoldEverythingTheirDocumentsNeed) {
  const auto bound = run(bindJob());
  ASSERT_TRUE(bound) << bound.error().text();
  EXPECT_EQ(bound->field_bytes, std::filesystem::file_size(path("out.skc")));
  std::filesystem::remove(path("in.glb"));
  const auto json = parsed(documentOf(*bound));
  EXPECT_EQ(json["command"], "bind");
  EXPECT_EQ(json["verdict"]["grade"], gradeName(bound->verdict.grade));

  const auto applied = run(ApplyJob{path("out.skc"), path("out.glb"), path("applied.glb"), {}, {}, {}});
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_EQ(applied->result.weights.weights, bound->result.weights.weights);
  const auto checked = run(CheckJob{path("applied.glb"), {}});
  ASSERT_TRUE(checked) << checked.error().text();
  EXPECT_TRUE(checked->result.passed) << documentOf(*checked).text;
}

// A skin may list fewer joints than another of the same file: the nodes are there all the same.
TEST_F(Jobs, CompareMatchesJointsThatOneSkinDoesNotList) {
  test::TubeDocument few;
  few.at("skins", 0)["joints"] = {1, 2, 3};
  few.at("accessors", few.parts.inverse_bind)["count"] = 3;
  few.attributes()["JOINTS_0"] = few.data(std::vector<std::uint8_t>(4 * few.parts.mesh.positions.size()), "VEC4");
  test::writeBytes(folder_.path("few.glb"), few.glb());
  ASSERT_EQ(CharacterFile::read(path("few.glb"))->character().skeleton.jointCount(), 3);
  CompareJob job;
  job.reference = path("few.glb");
  job.others = {path("in.glb")};
  const auto compared = run(job);
  ASSERT_TRUE(compared) << compared.error().text();
  EXPECT_GT(compared->result.others[0].result.sets[0].error.rms, 0);
  job.reference = path("in.glb");
  job.others = {path("few.glb")};
  const auto back = run(job);
  ASSERT_TRUE(back) << back.error().text();
  // The distance does not depend on which of the two is the reference.
  EXPECT_NEAR(back->result.others[0].result.sets[0].error.rms, compared->result.others[0].result.sets[0].error.rms,
              1e-6);
}

TEST_F(Jobs, InspectLooksAtCharactersAndFields) {
  ASSERT_TRUE(run(bindJob()));
  const auto character = run(InspectJob{path("out.glb"), {}}), field = run(InspectJob{path("out.skc"), {}});
  ASSERT_TRUE(character && field);
  EXPECT_EQ(std::get<InspectedCharacter>(character->found).root_joints, 1);
  EXPECT_EQ(std::get<InspectedField>(field->found).document.joints.size(), 4U);
  EXPECT_EQ(parsed(documentOf(*field))["field"]["skeleton_joints"], 4);
}

TEST_F(Jobs, OutputsNeverReplaceInputs) {
  BindJob job = bindJob();
  job.output = job.input;
  job.write.force = true;
  const auto before = test::readBytes(path("in.glb"));
  EXPECT_EQ(run(job).error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(test::readBytes(path("in.glb")), before);
}

TEST(JobFiles, AreDeclaredTogether) {
  const test::TemporaryFolder folder;
  const auto declared = [&](const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
    JobFiles files;
    for (const std::string& name : inputs) files.inputs.push_back(name.empty() ? name : folder.path(name).string());
    for (const std::string& name : outputs) files.outputs.push_back(name.empty() ? name : folder.path(name).string());
    OutputSet set;
    return declareFiles(files, set).has_value();
  };
  EXPECT_TRUE(declared({"a.glb", ""}, {"b.glb", "", ""}));
  EXPECT_FALSE(declared({"a.glb"}, {"./a.glb"}));
  EXPECT_FALSE(declared({"a.glb"}, {"b.glb", "./b.glb"}));
}

// A job can be part of a larger run: its outputs wait for the others.
TEST_F(Jobs, StageTheirOutputsInARun) {
  OutputSet outputs;
  ASSERT_TRUE(outputs.addOutput(path("mine.txt"), false));
  const auto bound = run(bindJob(), outputs);
  ASSERT_TRUE(bound) << bound.error().text();
  EXPECT_FALSE(std::filesystem::exists(path("out.glb")) || std::filesystem::exists(path("out.skc")));
  ASSERT_TRUE(outputs.stage(path("mine.txt"), "done", false));
  ASSERT_TRUE(outputs.commit());
  for (const char* name : {"out.glb", "out.skc", "mine.txt"}) EXPECT_TRUE(std::filesystem::exists(path(name))) << name;

  OutputSet clash;
  ASSERT_TRUE(clash.addOutput(path("other.skc"), false));
  BindJob job = bindJob();
  job.output = path("other.glb");
  job.field.field = path("./other.skc");
  EXPECT_EQ(run(job, clash).error().code, ErrorCode::CannotWrite);
}

} // namespace
} // namespace skincells
