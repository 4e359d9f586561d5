// Unusual but usable files: they bind, and the result is valid. And randomly damaged ones, which must not crash the
// reader.

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"
#include "skincells/bind.h"
#include "skincells/jobs/check_job.h"
#include "skincells/jobs/compare_job.h"
#include "skincells/jobs/inspect_job.h"
#include "skincells/report.h"
#include "support/files.h"
#include "support/gltf_builder.h"

namespace skincells::test {
namespace {

// Binds, writes, reads back and checks.
void expectUsable(const CharacterFile& file, const std::string& joints = "auto",
                  BindQuality quality = BindOptions{}.quality) {
  BindOptions options;
  options.joints = joints;
  options.quality = quality;
  const auto result = bind(file.character(), options);
  ASSERT_TRUE(result) << result.error().text();
  const TemporaryFolder folder;
  const auto written = file.write(folder.path("out.glb").string(), result->weights);
  ASSERT_TRUE(written) << written.error().text();
  auto again = CharacterFile::read(folder.path("out.glb").string());
  ASSERT_TRUE(again) << again.error().text();
  const CheckResult check = checkSkin(*again);
  for (const Defect& d : check.defects) EXPECT_NE(d.code.rfind("weights.", 0), 0U) << d.code;
  EXPECT_FALSE(documentOf(InspectOutcome{{}, inspectCharacter(std::move(*again))}).text.empty());
}

TEST(OddInput, DegenerateAndDuplicateTriangles) {
  TubeDocument b(3);
  b.primitive()["indices"] = b.data(std::vector<std::uint16_t>{0, 0, 0, 1, 2, 8, 1, 2, 8, 2, 8, 1, 5, 5, 6}, "SCALAR");
  const CharacterFile file = b.read();
  const std::string text = documentOf(InspectOutcome{{}, inspectCharacter(b.read())}).text;
  EXPECT_NE(text.find("without area"), std::string::npos) << text;
  EXPECT_NE(text.find("more than once"), std::string::npos) << text;
  expectUsable(file);
}

TEST(OddInput, OneJoint) {
  const CharacterFile file = TubeDocument(1).read();
  expectUsable(file);
  expectUsable(file, "all");
}

TEST(OddInput, AllVerticesInOnePlace) {
  TubeDocument b(2);
  b.attributes()["POSITION"] = b.positions(std::vector<Vec3f>(b.parts.mesh.positions.size(), Vec3f{1, 2, 3}));
  expectUsable(b.read());
}

// Read without an error, but refused by bind, with the place of the problem.
void expectRefused(const CharacterFile& file, const std::string& where) {
  BindOptions options;
  options.joints = "all";
  const auto result = bind(file.character(), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::InvalidFile);
  EXPECT_NE(result.error().where.find(where), std::string::npos) << result.error().where;
}

TEST(OddInput, VerticesAsFarAsFloatsReach) {
  TubeDocument b(2);
  std::vector<Vec3f> points = b.parts.mesh.positions;
  points[0] = {3e38f, -3e38f, 3e38f};
  points[1] = {-3e38f, 3e38f, -3e38f};
  b.attributes()["POSITION"] = b.positions(points);
  expectRefused(b.read(), "vertex 0");
}

TEST(OddInput, VerticesAsSmallAsFloatsReach) {
  TubeDocument b(2);
  std::vector<Vec3f> points = b.parts.mesh.positions;
  for (Vec3f& p : points) p *= 1e-40f;
  b.attributes()["POSITION"] = b.positions(points);
  expectUsable(b.read());
}

TEST(OddInput, JointsBeyondTheRangeOfNumbers) {
  TubeDocument b(3);
  b.json["skins"][0].erase("inverseBindMatrices");
  b.at("nodes", 2)["translation"] = {1e308, 0, 0};
  b.at("nodes", 3)["translation"] = {1e308, 0, 0}; // together: infinity
  const CharacterFile file = b.read();
  for (const Joint& j : file.character().skeleton.joints) EXPECT_TRUE(j.bind.isFinite()) << j.name;
  expectRefused(file, "joint1");

  BareTubeDocument bare(3);
  bare.at("nodes", 2)["translation"] = {1e308, 0, 0};
  bare.at("nodes", 3)["translation"] = {1e308, 0, 0};
  const CharacterFile tree = bare.read();
  for (const Joint& j : tree.character().skeleton.joints) EXPECT_TRUE(j.bind.isFinite()) << j.name;
  expectRefused(tree, "joint1");
}

TEST(OddInput, JointsScaledToNothing) {
  TubeDocument b(3);
  b.json["skins"][0].erase("inverseBindMatrices");
  b.at("nodes", 1)["scale"] = {0, 0, 0};
  const CharacterFile file = b.read();
  for (const Joint& j : file.character().skeleton.joints) EXPECT_TRUE(j.bind.isFinite()) << j.name;
  expectUsable(file, "all");
}

TEST(OddInput, SingularBindMatrices) {
  TubeDocument b(3);
  Affine zero;
  for (auto& row : zero.m)
    for (double& x : row) x = 0;
  b.json["skins"][0]["inverseBindMatrices"] = b.matrices({zero, zero, zero});
  const CharacterFile file = b.read();
  EXPECT_TRUE(hasWarning(file, "skin.bind_singular"));
  expectUsable(file, "all");
}

TEST(OddInput, TenThousandJoints) {
  TubeDocument b(2);
  std::vector<int> joints;
  std::vector<Affine> inverse;
  std::vector<int> previous;
  for (int j = 0; j < 10000; ++j) {
    joints.push_back(b.add("nodes", {{"name", "j" + std::to_string(j)}, {"translation", {0, j == 0 ? 0 : 4e-4, 0}}}));
    if (j > 0) b.at("nodes", joints.back() - 1)["children"] = {joints.back()};
    inverse.push_back(Affine::fromTranslation({0, -4e-4 * j, 0}));
  }
  b.json["skins"][0] = {{"joints", joints}, {"inverseBindMatrices", b.matrices(inverse)}};
  const CharacterFile file = b.read();
  EXPECT_EQ(file.character().skeleton.jointCount(), 10000);
  for (const char* which : {"auto", "all"}) expectUsable(file, which, BindQuality::Draft); // its file is as large
}

TEST(OddInput, MoreJointsThanTheFormatCanCount) {
  TubeDocument b(2);
  std::vector<int> joints;
  for (int j = 0; j < 70000; ++j) joints.push_back(b.add("nodes", Json::object()));
  b.json["skins"][0] = {{"joints", joints}};
  EXPECT_EQ(b.readError().code, ErrorCode::TooLarge);
}

TEST(OddInput, ClipsOfAbsurdDuration) {
  TubeDocument b(2);
  const int input = b.data(std::vector<float>{0, 3e38f}, "SCALAR");
  const int output = b.data(std::vector<float>{0, 2, 0, 0, 3, 0}, "VEC3");
  b.json["animations"] = Json::array(
      {{{"samplers", Json::array({{{"input", input}, {"output", output}}})},
        {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 2}, {"path", "translation"}}}}})}}});
  const CharacterFile file = b.read();
  CompareOptions options;
  options.clip_poses = 5;
  const auto result = compareSkins(file, {&file}, options);
  ASSERT_TRUE(result) << result.error().text();
  ASSERT_EQ(result->others[0].result.sets.size(), 2U);
  EXPECT_EQ(result->others[0].result.sets[1].pose_count, 5);
}

TEST(OddInput, MalformedScenes) {
  BareTubeDocument b(3);
  b.at("nodes", 0)["translation"] = {1, 0, 0}; // has to move to the root of the scene
  for (const Json& scenes :
       {Json(7), Json::array({7}), Json::array({{{"nodes", "x"}}}), Json::array({{{"nodes", 3}}})}) {
    b.json["scenes"] = scenes;
    expectUsable(b.read());
    const TemporaryFolder folder;
    writeBytes(folder.path("rig.glb"), TubeDocument(2).glb());
    ReadOptions options;
    options.rig = folder.path("rig.glb").string();
    expectUsable(b.read(options));
  }
}

// Writing an accepted file succeeds, or fails with an error that names the file.
void pokeWriters(const CharacterFile& file) {
  static const TemporaryFolder folder;
  const Mesh& mesh = file.character().mesh;
  const auto expectNamed = [](const auto& result) {
    EXPECT_TRUE(result || !result.error().where.empty()) << result.error().text();
  };
  SparseWeights weights(mesh.positions.size(), 1);
  std::ranges::fill(weights.weights, 1.0F);
  expectNamed(file.encodeGlb());
  expectNamed(file.encodeGlb(weights));
  const auto half = std::span(mesh.triangles).first(mesh.triangles.size() / 2);
  std::vector<std::uint32_t> source(half.size());
  std::iota(source.begin(), source.end(), 0U);
  expectNamed(file.reduced(half, source));
  expectNamed(
      file.writeStatic(folder.path("static.glb").string(), [](std::size_t) { return Affine{}; }, 2, {.force = true}));
}

// Reads arbitrary bytes: must not crash, and accepted files must be usable.
void poke(const std::vector<std::uint8_t>& bytes) {
  const auto file = CharacterFile::readGlb(bytes, "mutant.glb");
  if (!file) {
    EXPECT_EQ(file.error().where.rfind("mutant.glb", 0), 0U) << file.error().text();
    EXPECT_FALSE(file.error().message.empty());
    return;
  }
  checkSkin(*file);
  for (const Vec3f& p : file->character().mesh.positions) ASSERT_TRUE(isFinite(p));
  for (const Triangle& t : file->character().mesh.triangles)
    for (std::uint32_t v : t) ASSERT_LT(v, file->character().mesh.vertexCount());
  for (std::size_t c = 0; c < file->clips().size(); ++c) file->samplePose(c, 0.5);
  pokeWriters(*file);
}

TEST(OddInput, RandomBytes) {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    std::vector<std::uint8_t> bytes(random.below(300));
    for (auto& b : bytes) b = static_cast<std::uint8_t>(random.nextBits());
    if (bytes.size() > 12 && i % 2 == 0) std::memcpy(bytes.data(), "glTF\2\0\0\0\0\0\0", 11);
    EXPECT_FALSE(CharacterFile::readGlb(bytes, "random.glb"));
  }
}

TEST(OddInput, MutatedBytes) {
  TubeDocument b(3);
  b.json["animations"] = Json::array(
      {{{"samplers", Json::array({{{"input", b.data(std::vector<float>{0, 1}, "SCALAR")},
                                   {"output", b.data(std::vector<float>{0, 0, 0, 1, 0, 0}, "VEC3")}}})},
        {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 2}, {"path", "translation"}}}}})}}});
  const std::vector<std::uint8_t> glb = b.glb();
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::uint8_t> bytes = glb;
    const std::uint32_t changes = 1 + random.below(4);
    for (std::uint32_t k = 0; k < changes; ++k) {
      const std::uint32_t at = random.below(static_cast<std::uint32_t>(bytes.size()));
      // Digits replace digits, so that the JSON stays valid and the mutation reaches the code behind the parser.
      const bool digit = bytes[at] >= '0' && bytes[at] <= '9' && random.below(4) > 0;
      bytes[at] =
          digit ? static_cast<std::uint8_t>('0' + random.below(10)) : static_cast<std::uint8_t>(random.nextBits());
    }
    SCOPED_TRACE("mutation " + std::to_string(i));
    poke(bytes);
  }
}

TEST(OddInput, MalformedMorphTargets) {
  for (const Json& target : {Json(5), Json::object({{"POSITION", 99}}), Json::object({{"POSITION", -1}})}) {
    TubeDocument b(3);
    b.primitive()["targets"] = Json::array({target});
    const auto file = CharacterFile::readGlb(b.glb(), "morph.glb");
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::InvalidFile);
    EXPECT_EQ(file.error().where.rfind("morph.glb#/meshes/0/primitives/0/targets/0", 0), 0U) << file.error().where;
  }
  // Code that copies them unchanged does not depend on their number; code that selects some of them does.
  TubeDocument b(3);
  b.primitive()["targets"] = Json::array({{{"POSITION", b.data(std::vector<float>(6, 0.1F), "VEC3")}}});
  const CharacterFile file = b.read();
  expectUsable(file);
  const auto reduced = file.reduced(std::span(file.character().mesh.triangles).first(1), std::vector<std::uint32_t>{0});
  ASSERT_FALSE(reduced);
  EXPECT_NE(reduced.error().message.find("'POSITION' has a different element count"), std::string::npos)
      << reduced.error().text();
}

// Replaces one value of the JSON by something else.
TEST(OddInput, MutatedValues) {
  TubeDocument b(3);
  const auto count = b.json["accessors"][b.attributes()["POSITION"].get<std::size_t>()]["count"].get<std::size_t>();
  b.attributes()["NORMAL"] = b.data(std::vector<float>(3 * count, 0.6F), "VEC3");
  b.attributes()["TANGENT"] = b.data(std::vector<float>(4 * count, 1.0F), "VEC4");
  b.primitive()["targets"] = Json::array({{{"POSITION", b.data(std::vector<float>(3 * count, 0.1F), "VEC3")}}});
  expectUsable(b.read());
  const std::vector<Json> others{-1,
                                 0,
                                 3,
                                 1e300,
                                 4294967296.0,
                                 "text",
                                 nullptr,
                                 true,
                                 Json::array(),
                                 Json::object(),
                                 Json::array({1, 2, 3}),
                                 Json::array({nullptr})};
  const Json flat = b.json.flatten();
  for (const auto& item : flat.items())
    for (const Json& other : others) {
      TubeDocument mutant = b;
      mutant.json[Json::json_pointer(item.key())] = other;
      SCOPED_TRACE(item.key() + " = " + other.dump());
      poke(mutant.glb());
    }
}

} // namespace
} // namespace skincells::test
