// `apply` on clouds.
#include "cli/cli_test.h"
#include "skincells/io/point_cloud.h"
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
  // Joint k of the tube is at height k: points low down follow the first, points high up the last one.
  EXPECT_EQ(cloud->weights().jointRow(0)[0], 0);
  EXPECT_EQ(cloud->weights().jointRow(8)[0], 3);
  EXPECT_EQ(run({"apply", path("tube.skc"), path("cloud.ply"), "-o", path("two.ply"), "--max-influences", "2"}).code,
            0);
  EXPECT_EQ(PointCloudFile::read(path("two.ply"))->weights().slots, 2);
}

// A cloud that cannot be meant for this space is weighted all the same, but not without a word.
TEST_F(CloudCommand, SaysWhenACloudIsInAnotherSpace) {
  const auto codes = [&](const std::string& points) {
    writeText(path("points.ply"), "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                                  "property float z\nend_header\n" +
                                      points);
    const auto document = documentIn(
        run({"apply", path("tube.skc"), path("points.ply"), "-o", path("out.ply"), "--force", "--json"}).out);
    std::string out;
    for (const auto& warning : document["warnings"]) out += warning["code"].get<std::string>() + " ";
    return out;
  };
  EXPECT_EQ(codes("0 0.1 0\n0.1 2 0\n0 3 0.1\n"), "");
  EXPECT_EQ(codes("0 10 0\n10 200 0\n0 300 10\n"), "cloud.outside ");
  EXPECT_EQ(codes("0 0.001 0\n0.001 0.02 0\n0 0.03 0.001\n"), "cloud.tiny ");
}

TEST_F(CloudCommand, IsInspectedAndItsUserAdvised) {
  const ProgramResult r = run({"inspect", path("cloud.ply")});
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* words : {"9 splats", "colors of degree 1", "none", "'skincells apply'"})
    EXPECT_NE(r.out.find(words), std::string::npos) << words << " is missing in\n" << r.out;
  EXPECT_EQ(documentIn(run({"inspect", path("cloud.ply"), "--json"}).out)["cloud"]["kind"], "splats");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"bind", path("cloud.ply"), "-o", path("b.glb")}, {"check", path("cloud.ply")}}) {
    const ProgramResult refused = run(words);
    EXPECT_EQ(refused.code, 3) << refused.err;
    EXPECT_NE(refused.err.find("skincells apply FILE.skc"), std::string::npos) << refused.err;
  }
}

TEST_F(CloudCommand, StaysACloud) {
  const ProgramResult r = run({"apply", path("tube.skc"), path("cloud.ply"), "-o", path("cloud.glb")});
  EXPECT_EQ(r.code, 1);
  EXPECT_NE(r.err.find(".ply"), std::string::npos) << r.err;
}

TEST_F(CloudCommand, BadCloudsLeaveNothingBehind) {
  writeText(path("cut.ply"), readText(path("cloud.ply")).substr(0, 900));
  const auto before = names();
  const ProgramResult r = run({"apply", path("tube.skc"), path("cut.ply"), "-o", path("out.ply")});
  EXPECT_EQ(r.code, 2) << r.err;
  EXPECT_NE(r.err.find("truncated"), std::string::npos) << r.err;
  EXPECT_EQ(run({"apply", path("tube.skc"), path("cloud.ply"), "-o", path("cloud.ply"), "--force"}).code, 4);
  EXPECT_EQ(names(), before);
}

} // namespace
} // namespace skincells::test
