// The command `pose`.
#include "cli/cli_test.h"
#include "skincells/io/character_file.h"
#include "skincells/io/point_cloud.h"
#include "support/gltf_builder.h"
#include "support/ply_builder.h"
#include "support/validator.h"

namespace skincells::test {
namespace {

// A pose file that moves joint2 of the tube by (1, 2, 3), all its descendants as they were.
constexpr const char* kPoses = R"({"joints": ["joint0", "joint2"],
  "still": [[[1,0,0,0, 0,1,0,0, 0,0,1,0], [1,0,0,0, 0,1,0,0, 0,0,1,0]]],
  "moved": [[[1,0,0,0, 0,1,0,0, 0,0,1,0], [0,-1,0,1, 1,0,0,2, 0,0,1,3]]]})";

class PoseCommand : public CliTest {
protected:
  PoseCommand() { writeText(path("poses.json"), kPoses); }

  void bindField() { // tube.skc, and out.glb with its weights
    EXPECT_EQ(run(bindWords({"--quality", "draft", "--joints", "all", "--field", path("tube.skc"), "--quiet"})).code,
              0);
  }

  // Splats beside the tube, the first half rigid on joint0, the others on joint2.
  PointCloudFile writeSplats() {
    auto file = PointCloudFile::readPly(toBytes(splatPly(PlyKind::Little, 6, 3)), "splats.ply");
    EXPECT_TRUE(file.has_value());
    SparseWeights weights(6, 1);
    for (std::size_t v = 0; v < 6; ++v) weights.weights[v] = 1, weights.joints[v] = v < 3 ? 0 : 1;
    EXPECT_TRUE(file->write(path("cloud.ply"), weights, {"joint0", "joint2"}, {}));
    return std::move(*file);
  }
};

TEST_F(PoseCommand, WritesAStaticMesh) {
  const ProgramResult r = run(
      {"pose", path("in.glb"), "--pose-file", path("poses.json"), "--pose", "1", "-o", path("posed.glb"), "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  const auto document = documentIn(r.out);
  EXPECT_EQ(document["pose"], "moved 0");
  EXPECT_EQ(document["input"]["kind"], "mesh");
  if (hasValidator()) {
    EXPECT_EQ(newIssues({{"", path("posed.glb")}})[0], "");
  }
  // Its vertices: those of joint2 turned and moved, the others where they were.
  const auto before = CharacterFile::read(path("in.glb"));
  const ProgramResult ply =
      run({"pose", path("in.glb"), "--pose-file", path("poses.json"), "--pose", "1", "-o", path("posed.ply")});
  ASSERT_EQ(ply.code, 0) << ply.err;
  const auto posed = PointCloudFile::read(path("posed.ply"));
  ASSERT_TRUE(before.has_value() && posed.has_value());
  const Character& c = before->character();
  ASSERT_EQ(posed->mesh().positions.size(), c.mesh.positions.size());
  EXPECT_EQ(posed->mesh().triangles, c.mesh.triangles);
  int moved = 0;
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
    const Vec3f p = c.mesh.positions[v];
    const bool follows = c.weights.jointRow(v)[0] == 2;
    const Vec3f expected = follows ? Vec3f{1 - p.y, 2 + p.x, 3 + p.z} : p;
    EXPECT_LT(length(posed->mesh().positions[v] - expected), 1e-5F);
    moved += follows ? 1 : 0;
  }
  EXPECT_GT(moved, 0);
}

TEST_F(PoseCommand, TheBindPoseChangesNothing) {
  writeSplats();
  const ProgramResult r = run({"pose", path("cloud.ply"), "--rig", path("in.glb"), "--pose-file", path("poses.json"),
                               "-o", path("still.ply"), "--quiet"});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, "");
  const auto before = PointCloudFile::read(path("cloud.ply")), after = PointCloudFile::read(path("still.ply"));
  ASSERT_TRUE(before.has_value() && after.has_value());
  EXPECT_EQ(after->mesh().positions, before->mesh().positions);
  EXPECT_TRUE(after->weights().empty()); // they were for the bind pose
}

TEST_F(PoseCommand, SplatsTurnWithTheirJoint) {
  const PointCloudFile before = writeSplats();
  const ProgramResult r = run({"pose", path("cloud.ply"), "--rig", path("in.glb"), "--pose-file", path("poses.json"),
                               "--pose", "1", "-o", path("moved.ply"), "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(documentIn(r.out)["input"]["kind"], "splats");
  const auto after = PointCloudFile::read(path("moved.ply"));
  ASSERT_TRUE(after.has_value());
  for (std::size_t v = 0; v < 6; ++v) {
    const Vec3f p = before.mesh().positions[v];
    const Vec3f expected = v < 3 ? p : Vec3f{1 - p.y, 2 + p.x, 3 + p.z};
    EXPECT_LT(length(after->mesh().positions[v] - expected), 1e-5F) << v;
  }
}

// Weights from a field in one step are those of `apply` in two.
TEST_F(PoseCommand, TakesWeightsFromAField) {
  bindField();
  writeText(path("bare.ply"), splatPly(PlyKind::Little, 9, 1));
  const std::string poses = path("poses.json"), field = path("tube.skc");
  const auto pose = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all{"pose", "--pose-file", poses, "--pose", "1", "--quiet"};
    all.insert(all.end(), words.begin(), words.end());
    const ProgramResult r = run(all);
    EXPECT_EQ(r.code, 0) << r.err;
  };
  ASSERT_EQ(run({"apply", field, path("bare.ply"), "-o", path("weighted.ply"), "--quiet"}).code, 0);
  pose({path("weighted.ply"), "--rig", path("in.glb"), "-o", path("twice.ply")});
  pose({path("bare.ply"), "--from-field", field, "--rig", path("in.glb"), "-o", path("once.ply")});
  pose({path("bare.ply"), "--from-field", field, "-o", path("alone.ply")}); // the field contains the skeleton
  EXPECT_EQ(readText(path("once.ply")), readText(path("twice.ply")));
  EXPECT_EQ(readText(path("alone.ply")), readText(path("twice.ply")));
  pose({path("out.glb"), "-o", path("bound_posed.ply")});
  pose({path("in.glb"), "--from-field", field, "-o", path("field_posed.ply")});
  pose({field, "--rig", path("in.glb"), "-o", path("rig_posed.ply")});
  EXPECT_EQ(readText(path("rig_posed.ply")), readText(path("field_posed.ply")));
  const auto bound = PointCloudFile::read(path("bound_posed.ply")), posed = PointCloudFile::read(path("rig_posed.ply"));
  ASSERT_TRUE(bound.has_value() && posed.has_value());
  for (std::size_t v = 0; v < bound->mesh().positions.size(); ++v) // the file's weights are rounded
    EXPECT_LT(length(bound->mesh().positions[v] - posed->mesh().positions[v]), 1e-3F) << v;
}

TEST_F(PoseCommand, SaysWhatIsMissing) {
  writeSplats();
  bindField();
  const std::string cloud = path("cloud.ply"), rig = path("in.glb"), poses = path("poses.json"), out = path("out.ply");
  struct Case {
    std::vector<std::string> words;
    int code;
    std::string message;
  };
  const std::vector<Case> cases{
      {{"pose", rig, "-o", out}, 1, "--clip"},
      {{"pose", rig, "-o", out, "--clip", "walk", "--pose-file", poses}, 1, "either"},
      {{"pose", rig, "-o", out, "--clip", "walk"}, 1, "no clip 'walk'"},
      {{"pose", rig, "-o", out, "--pose-file", poses, "--pose", "2"}, 1, "only 2 poses"},
      {{"pose", rig, "-o", out, "--pose-file", poses, "--rig", rig}, 1, "for point clouds"},
      {{"pose", cloud, "-o", out, "--pose-file", poses}, 1, "--rig"},
      {{"pose", cloud, "-o", path("out.glb"), "--pose-file", poses, "--rig", rig}, 1, ".ply"},
      {{"pose", path("bare.glb"), "-o", out, "--pose-file", poses}, 2, "bind it first"},
      {{"pose", path("missing.ply"), "-o", out, "--pose-file", poses, "--rig", rig}, 2, "missing.ply"},
      {{"pose", cloud, "-o", cloud, "--pose-file", poses, "--rig", rig, "--force"}, 4, "is also an input"},
      {{"pose", path("tube.skc"), "-o", out, "--pose-file", poses}, 1, "a field has no mesh"},
      {{"pose", cloud, "-o", out, "--clip", "walk", "--from-field", path("tube.skc")}, 1, "--rig"},
  };
  const auto before = names();
  for (const Case& c : cases) {
    const ProgramResult r = run(c.words);
    EXPECT_EQ(r.code, c.code) << r.err;
    EXPECT_NE(r.err.find(c.message), std::string::npos) << r.err;
  }
  EXPECT_EQ(names(), before);
}

TEST_F(PoseCommand, ACloudOfAnotherCharacterIsRefused) {
  auto file = PointCloudFile::readPly(toBytes(splatPly(PlyKind::Ascii, 1, 0)), "splats.ply");
  SparseWeights weights(1, 1);
  weights.weights[0] = 1;
  ASSERT_TRUE(file->write(path("other.ply"), weights, {"tail"}, {}));
  const ProgramResult r = run(
      {"pose", path("other.ply"), "--rig", path("in.glb"), "--pose-file", path("poses.json"), "-o", path("out.ply")});
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("'tail'"), std::string::npos) << r.err;
}

} // namespace
} // namespace skincells::test
