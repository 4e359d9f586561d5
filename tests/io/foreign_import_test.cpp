#include "io/foreign_import.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/foreign_samples.h"
#include "io/glb_inspector.h"
#include "support/files.h"

namespace fs = std::filesystem;

namespace skincells::io {
namespace {

using test::GlbInspector;

// Sets SKINCELLS_IMPORTER for one test.
class ImporterSetting {
public:
  explicit ImporterSetting(const std::string& value) {
    if (const char* old = std::getenv("SKINCELLS_IMPORTER")) old_ = old;
    ::setenv("SKINCELLS_IMPORTER", value.c_str(), 1);
  }
  ~ImporterSetting() {
    if (old_)
      ::setenv("SKINCELLS_IMPORTER", old_->c_str(), 1);
    else
      ::unsetenv("SKINCELLS_IMPORTER");
  }
  ImporterSetting(const ImporterSetting&) = delete;
  ImporterSetting& operator=(const ImporterSetting&) = delete;

private:
  std::optional<std::string> old_;
};

class ForeignImportTest : public testing::Test {
protected:
  std::string write(const std::string& name, const std::string& text) {
    test::writeText(folder_.path(name), text);
    return folder_.path(name).string();
  }
  // A substitute for the import program: a shell script that gets the input as $1, the output as $2.
  std::string script(const std::string& body) {
    const std::string path = write("importer.sh", "#!/bin/sh\n" + body);
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  GlbInspector import(const std::string& path) {
    const auto glb = importForeign(path, warnings_);
    EXPECT_TRUE(glb) << glb.error().text();
    return GlbInspector(glb ? glb->glb : std::vector<std::uint8_t>{});
  }
  bool warned(const std::string& code) const {
    return std::any_of(warnings_.begin(), warnings_.end(), [&](const Warning& w) { return w.code == code; });
  }

  test::TemporaryFolder folder_;
  Warnings warnings_;
};

Box boxOf(const std::vector<Vec3d>& points) {
  Box box;
  for (const Vec3d& p : points) box.add(p);
  return box;
}

void expectNear(const Vec3d& a, const Vec3d& b, double tolerance) {
  EXPECT_LE(length(a - b), tolerance) << a.x << " " << a.y << " " << a.z;
}

// Skinned mesh nodes are scene roots without a transform, and FBX pivots are joined.
void expectTidyNodes(const GlbInspector& glb) {
  const auto& nodes = glb.json.at("nodes");
  const auto roots = glb.json.at("scenes")[0].at("nodes").get<std::vector<std::size_t>>();
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    EXPECT_EQ(nodes[n].value("name", "").find("$AssimpFbx$"), std::string::npos);
    if (!nodes[n].contains("skin")) continue;
    EXPECT_EQ(glb.localOf(n), Affine{});
    EXPECT_NE(std::find(roots.begin(), roots.end(), n), roots.end());
  }
}

TEST(ForeignExtensions, AreRecognized) {
  EXPECT_TRUE(isForeignExtension(".fbx"));
  EXPECT_TRUE(isForeignExtension("FBX"));
  EXPECT_TRUE(isForeignExtension(".Obj"));
  EXPECT_FALSE(isForeignExtension(".glb"));
  EXPECT_FALSE(isForeignExtension(""));
  EXPECT_FALSE(isForeignExtension("."));
  EXPECT_EQ(foreignExtensionList().substr(0, 10), ".fbx, .dae");
}

// Counts of the table in shared/characters/SOURCES.md, which has control points for vertices: 4570 of the woman and
// 1163 of the deer. `positions` is smaller by those that lie exactly on another one (506 and 16).
struct SharedFbx {
  const char* file;
  std::size_t positions, triangles, joints, clips;
  int influences;
  Vec3d size; // size of the character in world space, meters
};

class SharedFbxTest : public testing::TestWithParam<SharedFbx> {};

TEST_P(SharedFbxTest, AgreesWithTheTable) {
  SKINCELLS_NEEDS_SHARED();
  const SharedFbx& expected = GetParam();
  Warnings warnings;
  const auto bytes = importForeign((test::sharedFolder() / "characters/fbx" / expected.file).string(), warnings);
  ASSERT_TRUE(bytes) << bytes.error().text();
  const GlbInspector glb(bytes->glb);
  ASSERT_TRUE(glb.valid());
  EXPECT_EQ(glb.distinctPositions(), expected.positions);
  EXPECT_EQ(glb.triangleCount(), expected.triangles);
  ASSERT_EQ(glb.json.at("skins").size(), 1u);
  EXPECT_EQ(glb.json.at("skins")[0].at("joints").size(), expected.joints);
  EXPECT_EQ(glb.mostInfluences(), expected.influences);
  EXPECT_EQ(glb.json.value("animations", nlohmann::json::array()).size(), expected.clips);
  expectTidyNodes(glb);
  const Box box = boxOf(glb.worldPositions());
  expectNear(box.size(), expected.size, 0.01);
  EXPECT_NEAR(box.lo.y, 0, 0.05) << "feet on the ground";
}

INSTANTIATE_TEST_SUITE_P(
    Files, SharedFbxTest,
    testing::Values(SharedFbx{"Rocketbox_Female_Adult_05.fbx", 4064, 8288, 80, 1, 4, {1.217, 1.738, 0.286}},
                    SharedFbx{"arnaud.fbx", 3337, 6670, 53, 0, 5, {1.725, 1.831, 0.335}}, // its only clip has no curves
                    SharedFbx{"Rocketbox_Deer_Roe.fbx", 1147, 2286, 31, 0, 4, {0.358, 0.906, 1.515}},
                    // 1.94 m in bind pose; the node tree has another pose.
                    SharedFbx{"Overte_mannequin.fbx", 7455, 14748, 67, 0, 5, {1.810, 1.882, 0.423}}),
    [](const auto& file) { return fs::path(file.param.file).stem().string(); });

TEST_F(ForeignImportTest, DropsAnimationsThatCrashTheConverter) {
  SKINCELLS_NEEDS_SHARED();
  import((test::sharedFolder() / "characters/fbx/Overte_mannequin.fbx").string());
  EXPECT_TRUE(warned("import.animations_dropped"));
}

TEST_F(ForeignImportTest, ObjStaysAsItIs) {
  const GlbInspector glb = import(write("panel.obj", test::sampleObj()));
  ASSERT_TRUE(glb.valid());
  EXPECT_EQ(glb.triangleCount(), 1u);
  EXPECT_EQ(glb.distinctPositions(), 3u);
  EXPECT_FALSE(glb.json.contains("skins"));
  expectNear(boxOf(glb.worldPositions()).size(), {1, 1.8, 0}, 1e-6);
  EXPECT_TRUE(warnings_.empty());
}

// One PNG chunk; its checksum is not tested.
std::string pngChunk(const std::string& type, const std::string& data) {
  return std::string(3, '\0') + static_cast<char>(data.size()) + type + data + "sum!";
}

TEST_F(ForeignImportTest, TexturesBesideTheFileAreEmbedded) {
  const std::string signature = "\x89PNG\r\n\x1A\n", header = pngChunk("IHDR", "0123456789abc"),
                    end = pngChunk("IEND", "");
  write("skin.png", signature + header + pngChunk("gAMA", "1234") + end);
  write("panel.mtl", "newmtl a\nKd 0 0 0\nmap_Kd skin.png\nnewmtl b\nKd 0.2 0.4 0.6\nmap_Kd ../outside.png\n"
                     "newmtl c\nKd 0.2 0.4 0.6\n");
  const GlbInspector glb =
      import(write("panel.obj", "mtllib panel.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\n"
                                "f 1/1 2/1 3/1\nusemtl b\nf 1/1 3/1 2/1\nusemtl c\nf 2/1 3/1 1/1\n"));
  ASSERT_TRUE(glb.valid());
  ASSERT_EQ(glb.json.at("images").size(), 1u);
  EXPECT_EQ(glb.json.at("images")[0].at("mimeType"), "image/png");
  const auto& view = glb.json.at("bufferViews")[glb.json.at("images")[0].at("bufferView").get<std::size_t>()];
  EXPECT_EQ(view.at("byteLength"), signature.size() + header.size() + end.size()) << "the gamma chunk is removed";
  int textured = 0, plain = 0;
  for (const auto& material : glb.json.at("materials")) {
    const auto& pbr = material.at("pbrMetallicRoughness");
    if (material.at("name") == "a") textured += pbr.at("baseColorTexture").at("index") == 0;
    EXPECT_EQ(pbr.contains("baseColorTexture"), material.at("name") == "a");
    if (material.at("name") == "c") plain += std::abs(pbr.at("baseColorFactor")[1].get<double>() - 0.4) < 1e-6;
  }
  EXPECT_EQ(textured, 1);
  EXPECT_EQ(plain, 1);
  EXPECT_TRUE(warned("import.texture_dropped"));
}

TEST_F(ForeignImportTest, PlainMeshFormats) {
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1.8 0\n3 0 1 2\n";
  const std::string stl =
      "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1.8 0\nendloop\n"
      "endfacet\nendsolid s\n";
  const std::string off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1.8 0\n3 0 1 2\n";
  const std::string x = "xof 0303txt 0032\nMesh m {\n3;\n0;0;0;,\n1;0;0;,\n0;1.8;0;;\n1;\n3;0,1,2;;\n}\n";
  for (const auto& [name, text] : {std::pair{"a.ply", ply}, {"a.stl", stl}, {"a.off", off}, {"a.x", x}}) {
    const GlbInspector glb = import(write(name, text));
    ASSERT_TRUE(glb.valid()) << name;
    EXPECT_EQ(glb.triangleCount(), 1u) << name;
    expectNear(boxOf(glb.worldPositions()).size(), {1, 1.8, 0}, 1e-6);
  }
}

TEST_F(ForeignImportTest, DaeUnitsAxesAndSkin) {
  const GlbInspector glb = import(write("body.dae", test::sampleDae()));
  ASSERT_TRUE(glb.valid());
  expectTidyNodes(glb);
  EXPECT_EQ(glb.triangleCount(), 4u);
  EXPECT_EQ(glb.distinctPositions(), 4u);
  ASSERT_EQ(glb.json.at("skins").size(), 1u);
  EXPECT_EQ(glb.json.at("skins")[0].at("joints").size(), 2u);
  const Box box = boxOf(glb.worldPositions());
  expectNear(box.lo, {0, 0, -1}, 1e-5); // z up to y up: y becomes -z
  expectNear(box.hi, {1, 1.8, 0}, 1e-5);
  expectNear(glb.globalOf(static_cast<std::size_t>(glb.find("B"))).translation(), {0, 0.9, 0}, 1e-6);
}

// Keys of the only clip for one path of one node.
struct Keys {
  std::vector<double> times, values;
};
Keys keysOf(const GlbInspector& glb, int node, const std::string& path) {
  const auto& clip = glb.json.at("animations").at(0);
  for (const auto& channel : clip.at("channels")) {
    if (channel.at("target").at("node") != node || channel.at("target").at("path") != path) continue;
    const auto& sampler = clip.at("samplers")[channel.at("sampler").get<std::size_t>()];
    return {glb.numbers(sampler.at("input")), glb.numbers(sampler.at("output"))};
  }
  return {};
}

// From second 0 to 1, to 90 degrees about z and then 90 about the new x.
void expectTurn(const Keys& keys) {
  ASSERT_GE(keys.times.size(), 2u);
  EXPECT_EQ(keys.times.front(), 0);
  EXPECT_NEAR(keys.times.back(), 1, 1e-5);
  const double* last = &keys.values[keys.values.size() - 4];
  const double q[4] = {last[0], last[1], last[2], last[3]};
  expectNear(Affine::fromTrs({}, q, {1, 1, 1}).apply({1, 0, 0}), {0, 1, 0}, 1e-5);
  expectNear(Affine::fromTrs({}, q, {1, 1, 1}).apply({0, 1, 0}), {0, 0, 1}, 1e-5);
}

TEST_F(ForeignImportTest, FbxPreRotationUnitsAndAxes) {
  const GlbInspector glb = import(write("a.fbx", test::samplePivotFbx(test::RotationPivot::Without)));
  ASSERT_TRUE(glb.valid());
  expectTidyNodes(glb);
  const Box box = boxOf(glb.worldPositions());
  expectNear(box.lo, {0, 0, 0}, 1e-5);
  expectNear(box.hi, {1, 1.8, 0}, 1e-5);
  const int bone = glb.find("bone");
  ASSERT_GE(bone, 0);
  expectNear(glb.globalOf(static_cast<std::size_t>(bone)).translation(), {0, 1, 0}, 1e-6);
  expectTurn(keysOf(glb, bone, "rotation"));
}

TEST_F(ForeignImportTest, FbxPivotsAreJoinedAndAnimated) {
  const GlbInspector glb = import(write("a.fbx", test::samplePivotFbx(test::RotationPivot::With)));
  ASSERT_TRUE(glb.valid());
  expectTidyNodes(glb);
  const int bone = glb.find("bone");
  ASSERT_GE(bone, 0);
  expectTurn(keysOf(glb, bone, "rotation"));
  // The bone sits at (0, 0, 1) and turns about (0, 1, 0) of its frame.
  expectNear(glb.localOf(static_cast<std::size_t>(bone)).translation(), {1, 1, 1}, 1e-5);
  const Keys moved = keysOf(glb, bone, "translation");
  ASSERT_GE(moved.values.size(), 6u);
  expectNear({moved.values[0], moved.values[1], moved.values[2]}, {1, 1, 1}, 1e-5);
  const double* last = &moved.values[moved.values.size() - 3];
  expectNear({last[0], last[1], last[2]}, {0, 1, 0}, 1e-5);
}

TEST_F(ForeignImportTest, MeshesUnderDifferentNodesShareOneSkin) {
  const GlbInspector glb = import(write("two.fbx", test::sampleTwoMeshFbx()));
  ASSERT_TRUE(glb.valid());
  expectTidyNodes(glb);
  EXPECT_EQ(glb.json.at("meshes").size(), 2u);
  ASSERT_EQ(glb.json.at("skins").size(), 1u);
  EXPECT_EQ(glb.json.at("skins")[0].at("joints").size(), 1u);
  const Box box = boxOf(glb.worldPositions());
  expectNear(box.lo, {0, -0.5, 0}, 1e-5);
  expectNear(box.hi, {1, 1.8, 0}, 1e-5);
}

TEST_F(ForeignImportTest, GarbageIsAnError) {
  const std::string path = write("garbage.fbx", "this is no FBX file, \x01\x02\x03 whatever its name says");
  const auto glb = importForeign(path, warnings_);
  ASSERT_FALSE(glb);
  EXPECT_EQ(glb.error().code, ErrorCode::ImportFailed);
  EXPECT_EQ(glb.error().where, path);
  EXPECT_NE(glb.error().message.find("Blender"), std::string::npos);
  EXPECT_NE(glb.error().message.find("damaged, or not in the format FBX"), std::string::npos) << glb.error().message;
  EXPECT_EQ(glb.error().message.find("whatever"), std::string::npos) << "quotes the file";
  EXPECT_TRUE(warnings_.empty());
}

// Materials and textures are read only from the folder of the file and below, whatever names lead elsewhere.
TEST_F(ForeignImportTest, StaysInItsFolder) {
  fs::create_directories(folder_.path("model/sub"));
  const std::string signature = "\x89PNG\r\n\x1A\n",
                    png = signature + pngChunk("IHDR", "0123456789abc") + pngChunk("IEND", "");
  const std::string materials = "newmtl a\nKd 0.125 0.25 0.5\n";
  const std::string outside = write("outside.mtl", materials);
  write("outside.png", png);
  write("model/sub/inside.mtl", materials);
  fs::create_symlink("../outside.mtl", folder_.path("model/link.mtl"));
  fs::create_symlink("../outside.png", folder_.path("model/picture.png"));
  fs::create_symlink("sub/inside.mtl", folder_.path("model/within.mtl"));
  ASSERT_EQ(::mkfifo(folder_.path("model/pipe.mtl").c_str(), 0600), 0);
  const auto colored = [&](const std::string& library) {
    const GlbInspector glb = import(
        write("model/a.obj", "mtllib " + library + "\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\nf 1/1 2/1 3/1\n"));
    EXPECT_TRUE(glb.valid()) << library;
    EXPECT_FALSE(glb.json.contains("images")) << library;
    for (const auto& material : glb.json.value("materials", nlohmann::json::array()))
      if (material.at("pbrMetallicRoughness").value("baseColorFactor", nlohmann::json{1})[0] == 0.125) return true;
    return false;
  };
  for (const char* fine : {"sub/inside.mtl", "within.mtl", "./sub/../sub/inside.mtl"})
    EXPECT_TRUE(colored(fine)) << fine;
  for (const std::string& leak :
       {std::string("../outside.mtl"), outside, std::string("link.mtl"), std::string("sub/../../outside.mtl"),
        std::string("pipe.mtl"), std::string("/dev/zero"), std::string("/proc/self/environ")})
    EXPECT_FALSE(colored(leak)) << leak;
  write("model/pictured.mtl", "newmtl a\nmap_Kd picture.png\n");
  colored("pictured.mtl"); // the picture is a link out of the folder
  EXPECT_TRUE(warned("import.texture_dropped"));
}

TEST_F(ForeignImportTest, NamesTheFilesThatItRead) {
  const std::string materials = write("a.mtl", "newmtl a\nKd 1 0 0\n");
  const auto file =
      importForeign(write("a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n"), warnings_);
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_EQ(file->resources, std::vector<std::string>{fs::canonical(materials).string()});
}

TEST_F(ForeignImportTest, ErrorsDoNotQuoteTheFile) {
  for (const char* name : {"a.dae", "a.obj", "a.x", "a.off", "a.stl", "a.ply", "a.3ds", "a.fbx"}) {
    const auto file = importForeign(write(name, "secret-token <x>secret-token 1 secret-token\n"), warnings_);
    if (file) continue;
    EXPECT_EQ(file.error().message.find("secret"), std::string::npos) << name << file.error().message;
  }
  for (const Warning& w : warnings_) EXPECT_EQ(w.message.find("secret"), std::string::npos) << w.message;
}

TEST_F(ForeignImportTest, PipesAreRefused) {
  const std::string path = folder_.path("pipe.obj").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(importForeign(path, warnings_).error().code, ErrorCode::FileNotFound);
}

TEST_F(ForeignImportTest, MissingFile) {
  const auto glb = importForeign(folder_.path("nothing.fbx").string(), warnings_);
  ASSERT_FALSE(glb);
  EXPECT_EQ(glb.error().code, ErrorCode::FileNotFound);
}

TEST_F(ForeignImportTest, MissingProgram) {
  const ImporterSetting setting(folder_.path("not_there").string());
  const auto glb = importForeign(write("a.obj", test::sampleObj()), warnings_);
  ASSERT_FALSE(glb);
  EXPECT_EQ(glb.error().code, ErrorCode::UnsupportedFeature);
  EXPECT_NE(glb.error().message.find("SKINCELLS_IMPORTER"), std::string::npos);
}

TEST_F(ForeignImportTest, ProgramThatDiesEachTime) {
  const ImporterSetting setting(script("printf 'error\\tlast words\\nsecret content\\n' >&2\nkill -ABRT $$\n"));
  const auto glb = importForeign(write("a.obj", test::sampleObj()), warnings_);
  ASSERT_FALSE(glb);
  EXPECT_EQ(glb.error().code, ErrorCode::ImportFailed);
  EXPECT_NE(glb.error().message.find("crashed"), std::string::npos);
  EXPECT_NE(glb.error().message.find("last words"), std::string::npos);
  EXPECT_EQ(glb.error().message.find("secret"), std::string::npos) << "lines without a tag may quote the file";
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(ForeignImportTest, ProgramThatDiesOfAnimations) {
  const ImporterSetting setting(
      script("[ \"$3\" = --no-animations ] || kill -SEGV $$\n"
             "printf 'warning\\tsome.code\\tplace\\tsome words\\n' >&2\nprintf glTF > \"$2\"\n"));
  const auto glb = importForeign(write("a.obj", test::sampleObj()), warnings_);
  ASSERT_TRUE(glb) << glb.error().text();
  EXPECT_EQ(glb->glb.size(), 4u);
  ASSERT_EQ(warnings_.size(), 2u);
  EXPECT_EQ(warnings_[0].code, "import.animations_dropped");
  EXPECT_EQ(warnings_[1].code, "some.code");
  EXPECT_EQ(warnings_[1].where, "place");
  EXPECT_EQ(warnings_[1].message, "some words");
}

TEST_F(ForeignImportTest, ProgramThatWritesNothing) {
  const ImporterSetting setting(script("exit 0\n"));
  const auto glb = importForeign(write("a.obj", test::sampleObj()), warnings_);
  ASSERT_FALSE(glb);
  EXPECT_EQ(glb.error().code, ErrorCode::ImportFailed);
}

TEST_F(ForeignImportTest, ProgramThatCannotStart) {
  const std::string path = write("broken", "neither a script nor a program");
  fs::permissions(path, fs::perms::owner_all);
  const ImporterSetting setting(path);
  const auto glb = importForeign(write("a.obj", test::sampleObj()), warnings_);
  ASSERT_FALSE(glb);
  EXPECT_EQ(glb.error().code, ErrorCode::ImportFailed);
  EXPECT_NE(glb.error().message.find("could not be started"), std::string::npos);
}

TEST_F(ForeignImportTest, TimeOut) {
  const ImporterSetting setting(script("sleep 60\n"));
  ForeignImportLimits limits;
  limits.wall_seconds = 0.2;
  const auto start = std::chrono::steady_clock::now();
  const auto glb = importForeign(write("a.obj", test::sampleObj()), warnings_, limits);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  ASSERT_FALSE(glb);
  EXPECT_EQ(glb.error().code, ErrorCode::ImportFailed);
  EXPECT_NE(glb.error().message.find("0.2 seconds"), std::string::npos) << glb.error().message;
}

TEST_F(ForeignImportTest, ComputingTimeIsLimited) {
  const ImporterSetting setting(script("while :; do :; done\n"));
  ForeignImportLimits limits;
  limits.cpu_seconds = 1;
  limits.wall_seconds = 60;
  const auto glb = importForeign(write("a.obj", test::sampleObj()), warnings_, limits);
  ASSERT_FALSE(glb);
  EXPECT_NE(glb.error().message.find("crashed"), std::string::npos) << glb.error().message;
}

TEST_F(ForeignImportTest, OutputIsLimited) {
  const ImporterSetting setting(script("head -c 100000 /dev/zero > \"$2\"\n"));
  ForeignImportLimits limits;
  limits.output_bytes = 1000;
  EXPECT_FALSE(importForeign(write("a.obj", test::sampleObj()), warnings_, limits));
}

} // namespace
} // namespace skincells::io
