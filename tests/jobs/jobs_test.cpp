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
  EXPECT_TRUE(json.contains("posed_shape"));
  EXPECT_FALSE(parsed(documentOf(*bound, {.measure_shape = false})).contains("posed_shape"));

  const auto applied = run(ApplyJob{path("out.skc"), path("out.glb"), path("applied.glb"), {}, {}, {}});
  ASSERT_TRUE(applied) << applied.error().text();
  EXPECT_EQ(applied->result.weights.weights, bound->result.weights.weights);
  const auto checked = run(CheckJob{path("applied.glb"), {}});
  ASSERT_TRUE(checked) << checked.error().text();
  EXPECT_TRUE(checked->result.passed) << documentOf(*checked).text;
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

TEST(JobFiles, AreComparedByPathBeforeTheyExist) {
  EXPECT_TRUE(checkFiles({{"a.glb", ""}, {"b.glb", "", ""}}));
  EXPECT_FALSE(checkFiles({{"a.glb"}, {"./a.glb"}}));
  EXPECT_FALSE(checkFiles({{"a.glb"}, {"b.glb", "x/../b.glb"}}));
}

} // namespace
} // namespace skincells
