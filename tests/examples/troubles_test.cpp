// The troubles of the first hour: each is aligned, found, refused or called bad, never bound to garbage without a word.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "skincells/jobs/bind_job.h"
#include "skincells/jobs/check_job.h"
#include "support/files.h"

namespace skincells {
namespace {

class Troubles : public testing::Test {
protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<test::TemporaryFolder>();
    const std::string command =
        std::string("\"") + SKINCELLS_EXAMPLES_PROGRAM + "\" \"" + folder_->path("").string() + "\" --troubles";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static std::string path(const std::string& name) { return folder_->path(name + ".glb").string(); }

  static Result<BindOutcome> bindFile(const std::string& name) {
    BindJob job;
    job.input = path(name);
    job.output = path(name + "_bound");
    job.write.force = true;
    return run(job);
  }

  // Of the joints that lead a tenth of a percent of the vertices or more.
  static int leaders(const BindOutcome& outcome) {
    const auto statistics = weightStatistics(outcome.result.weights, outcome.input.character().skeleton.jointCount());
    return static_cast<int>(std::ranges::count_if(statistics.vertices_of_joint, [](std::uint32_t n) { return n > 3; }));
  }

  static std::string messageOf(const CharacterFile& file, const std::string& code) {
    for (const Warning& w : file.warnings())
      if (w.code == code) return w.message;
    return "";
  }

  static std::unique_ptr<test::TemporaryFolder> folder_;
};
std::unique_ptr<test::TemporaryFolder> Troubles::folder_;

TEST_F(Troubles, UnitsAxesAndPlacesAreAligned) {
  const std::pair<const char*, const char*> kCases[] = {
      {"centimeters", "--align-rig 100;"}, {"z_up", "--align-rig z-up;"}, {"scaled_node", "--align-rig stored;"}};
  for (const auto& [name, option] : kCases) {
    SCOPED_TRACE(name);
    const auto bound = bindFile(name);
    ASSERT_TRUE(bound) << bound.error().text();
    EXPECT_NE(messageOf(bound->input, "skeleton.aligned").find(option), std::string::npos);
    EXPECT_GE(leaders(*bound), 50) << "as many joints as in a character that fits";
    EXPECT_NE(bound->verdict.grade, Grade::Bad);
  }
}

TEST_F(Troubles, AnotherPoseIsRefusedOrFound) {
  const auto refused = bindFile("posed_rest");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Mismatch);
  EXPECT_NE(refused.error().message.find("--bind-pose"), std::string::npos);
  const auto found = bindFile("posed_rest_with_skin");
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_NE(messageOf(found->input, "skeleton.bind_pose").find("--bind-pose 'skin'"), std::string::npos);
  EXPECT_NE(found->verdict.grade, Grade::Bad);
}

// The feet would tear off any skin if they moved by themselves.
TEST_F(Troubles, FeetOnTargetsFollowTheirLegs) {
  CheckJob job;
  job.input = path("ik_feet");
  const auto checked = run(job);
  ASSERT_TRUE(checked) << checked.error().text();
  EXPECT_EQ(checked->verdict->grade, Grade::Good);
  EXPECT_NE(checked->verdict->poses.find("foot.L"), std::string::npos) << checked->verdict->poses;
}

TEST_F(Troubles, ShellsOnControlsAreNotGood) {
  CheckJob job;
  job.input = path("shells_on_controls");
  job.check.posed = true;
  const auto checked = run(job);
  ASSERT_TRUE(checked) << checked.error().text();
  EXPECT_EQ(checked->verdict->grade, Grade::Bad);
  const auto bound = bindFile("shells_on_controls");
  ASSERT_TRUE(bound) << bound.error().text();
  EXPECT_EQ(bound->verdict.grade, Grade::Good) << "a new bind leaves the control out";
}

TEST_F(Troubles, LegsOneCentimeterApartDoNotShareWeights) {
  const auto bound = bindFile("baggy_trousers");
  ASSERT_TRUE(bound) << bound.error().text();
  const Character& c = bound->input.character();
  double own = 0, other = 0;
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
    if (c.mesh.positions[v].y > 0.7F) continue; // the crotch follows both
    const char side = c.mesh.positions[v].x > 0 ? 'L' : 'R';
    for (std::size_t k = 0; k < bound->result.weights.weightRow(v).size(); ++k) {
      const std::string& name = c.skeleton.joints[bound->result.weights.jointRow(v)[k]].name;
      if (name[name.size() - 2] == '.') (name.back() == side ? own : other) += bound->result.weights.weightRow(v)[k];
    }
  }
  EXPECT_LT(other, 0.01 * own);
  EXPECT_NE(bound->verdict.grade, Grade::Bad);
}

TEST_F(Troubles, TreesAndPropsAreSeen) {
  const auto two = bindFile("two_trees");
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().code, ErrorCode::AmbiguousSkeleton);
  EXPECT_NE(two.error().message.find("'copy of skeleton'"), std::string::npos) << two.error().message;
  const auto props = bindFile("props");
  ASSERT_TRUE(props) << props.error().text();
  EXPECT_EQ(props->input.info().skeleton_source, "node tree 'skeleton'");
  EXPECT_EQ(props->input.info().unskinned_mesh_node_count, 4);
}

} // namespace
} // namespace skincells
