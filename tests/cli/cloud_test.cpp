// `apply` on clouds.
#include "cli/cli_test.h"
#include "skincells/point_cloud.h"
#include "support/ply_builder.h"

namespace skincells::test {
namespace {

class CloudCommand : public CliTest {
protected:
  CloudCommand() {
    EXPECT_EQ(run(bindWords({"--quality", "draft", "--joints", "all", "--field", path("tube.skc"), "--quiet"})).code,
              0);
    writeText(path("cloud.ply"), splatPly(PlyKind::Big, 9, 1));
  }
};

TEST_F(CloudCommand, WeightsFollowTheField) {
  const ProgramResult r = run({"apply", path("tube.skc"), path("cloud.ply"), "-o", path("out.ply"), "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(documentIn(r.out)["input"]["vertices"], 9);
  const auto cloud = PointCloudFile::read(path("out.ply"));
  ASSERT_TRUE(cloud.has_value()) << cloud.error().text();
  EXPECT_EQ(cloud->jointNames().size(), 4U);
  ASSERT_EQ(cloud->weights().vertexCount(), 9U);
  // Joint k of the tube stands at height k: points low down follow the first, points high up the last one.
  EXPECT_EQ(cloud->weights().jointRow(0)[0], 0);
  EXPECT_EQ(cloud->weights().jointRow(8)[0], 3);
  EXPECT_EQ(run({"apply", path("tube.skc"), path("cloud.ply"), "-o", path("two.ply"), "--max-influences", "2"}).code,
            0);
  EXPECT_EQ(PointCloudFile::read(path("two.ply"))->weights().slots, 2);
}

TEST_F(CloudCommand, BadCloudsLeaveNothingBehind) {
  writeText(path("cut.ply"), readText(path("cloud.ply")).substr(0, 900));
  const auto before = names();
  const ProgramResult r = run({"apply", path("tube.skc"), path("cut.ply"), "-o", path("out.ply")});
  EXPECT_EQ(r.code, 2) << r.err;
  EXPECT_NE(r.err.find("cut off"), std::string::npos) << r.err;
  EXPECT_EQ(run({"apply", path("tube.skc"), path("cloud.ply"), "-o", path("cloud.ply"), "--force"}).code, 4);
  EXPECT_EQ(names(), before);
}

} // namespace
} // namespace skincells::test
