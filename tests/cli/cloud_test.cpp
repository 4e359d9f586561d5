// `apply` and `bind` on clouds.
#include "cli/cli_test.h"
#include "skincells/io/point_cloud.h"
#include "support/ply_builder.h"
#include "support/shapes.h"

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

TEST_F(CloudCommand, IsRenderedAndPosedWithARig) {
  ASSERT_EQ(run({"apply", path("tube.skc"), path("cloud.ply"), "-o", path("out.ply")}).code, 0);
  const std::vector<std::string> render{"render", path("out.ply"), "--size", "64", "--count", "2"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), render.begin(), render.end());
    return run(more);
  };
  const ProgramResult still = with({"-o", path("still.png")});
  EXPECT_EQ(still.code, 0) << still.err;
  EXPECT_NE(still.out.find("--rig"), std::string::npos) << still.out;
  const ProgramResult posed = with({"--rig", path("in.glb"), "--poses", "random", "-o", path("posed.png")});
  EXPECT_EQ(posed.code, 0) << posed.err;
  EXPECT_EQ(posed.out.find("--rig"), std::string::npos) << posed.out;
  EXPECT_NE(readText(path("posed.png")), readText(path("still.png")));
}

TEST_F(CloudCommand, IsInspectedAndItsUserAdvised) {
  const ProgramResult r = run({"inspect", path("cloud.ply")});
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* words : {"9 splats", "colors of degree 1", "none", "'skincells bind'", "'skincells apply'"})
    EXPECT_NE(r.out.find(words), std::string::npos) << words << " is missing in\n" << r.out;
  EXPECT_EQ(documentIn(run({"inspect", path("cloud.ply"), "--json"}).out)["cloud"]["kind"], "splats");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"bind", path("cloud.ply"), "-o", path("b.glb")}, {"check", path("cloud.ply")}}) {
    const ProgramResult refused = run(words);
    EXPECT_EQ(refused.code, 3) << refused.err;
    EXPECT_NE(refused.err.find("skincells apply FILE.skc"), std::string::npos) << refused.err;
  }
}

// Points on the tube, without triangles.
std::string tubePly(int sides) {
  std::string rows;
  const Mesh mesh = tube(4, 0.5, 60, sides);
  for (const Vec3f& p : mesh.positions)
    rows += std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + " 7\n";
  return plyHeader(PlyKind::Ascii, {"element vertex " + std::to_string(mesh.positions.size()), "property float x",
                                    "property float y", "property float z", "property uchar label"}) +
         rows;
}

TEST_F(CloudCommand, IsBoundWithoutAMesh) {
  writeText(path("points.ply"), tubePly(24));
  const std::vector<std::string> words{"bind",          path("points.ply"), "--rig", path("in.glb"), "-o",
                                       path("out.ply"), "--joints",         "all",   "--field",      path("out.skc")};
  std::vector<std::string> with_json = words;
  with_json.emplace_back("--json");
  const ProgramResult r = run(with_json);
  ASSERT_EQ(r.code, 0) << r.err;
  const auto document = documentIn(r.out);
  const auto cloud = PointCloudFile::read(path("out.ply"));
  ASSERT_TRUE(cloud.has_value()) << cloud.error().text();
  EXPECT_EQ(document["input"]["vertices"], cloud->mesh().positions.size());
  EXPECT_EQ(document["options"]["normals"], false);
  EXPECT_GT(document["surface"]["triangles"], 500);
  EXPECT_EQ(document["verdict"]["grade"], "good");
  // Joint k of the tube is at height k.
  for (std::size_t v = 0; v < cloud->weights().vertexCount(); ++v) {
    const double y = static_cast<double>(cloud->mesh().positions[v].y), joint = cloud->weights().jointRow(v)[0];
    EXPECT_NEAR(joint + 0.5, std::min(y, 3.9), 0.8) << y;
  }
  // The field gives the points the same weights.
  ASSERT_EQ(run({"apply", path("out.skc"), path("points.ply"), "-o", path("applied.ply")}).code, 0);
  EXPECT_EQ(readText(path("applied.ply")), readText(path("out.ply")));
  EXPECT_EQ(run(words).code, 4); // exists
}

TEST_F(CloudCommand, IsBoundBySimplerMethods) {
  writeText(path("points.ply"), tubePly(24));
  for (const char* method : {"heat", "proximity"}) {
    const ProgramResult r = run({"bind", path("points.ply"), "--rig", path("in.glb"), "-o", path("out.ply"), "--method",
                                 method, "--force", "--quiet"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(PointCloudFile::read(path("out.ply"))->weights().vertexCount(),
              PointCloudFile::read(path("points.ply"))->mesh().positions.size());
  }
}

TEST_F(CloudCommand, SaysWhyItCannotBeBound) {
  writeText(path("points.ply"), tubePly(24));
  const auto refused = [&](std::vector<std::string> words, int code, const char* reason) {
    words.insert(words.begin(), "bind");
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, code) << r.err;
    EXPECT_NE(r.err.find(reason), std::string::npos) << r.err;
    EXPECT_FALSE(std::filesystem::exists(path("out.ply")));
  };
  const std::string in = path("points.ply"), out = path("out.ply"), rig = path("in.glb");
  refused({in, "-o", out}, 1, "--rig");
  refused({in, "--rig", rig, "-o", out, "--body", rig}, 1, "--body");
  refused({in, "--rig", rig, "-o", out, "--embed-field"}, 1, "--field");
  refused({in, "--rig", path("none.glb"), "-o", out}, 2, "none.glb");
  refused({path("cloud.ply"), "--rig", rig, "-o", out}, 2, "no surface can be seen");
  refused({in, "--rig", rig, "-o", path("no_cloud.glb")}, 3, "skincells bind CLOUD.ply");
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
