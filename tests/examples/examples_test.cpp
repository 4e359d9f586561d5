// Runs the generator of example characters and looks at the files it writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>

#include <nlohmann/json.hpp>

#include "io/gltf/glb.h"
#include "io/ply/point_cloud_access.h"
#include "mesh/ray_query.h"
#include "skincells/io/point_cloud.h"
#include "skincells/mesh.h"
#include "support/files.h"

namespace skincells {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

struct Expected {
  const char* name;
  std::array<int, 2> vertices, lod1_vertices, lod2_vertices; // allowed ranges
  int joints;
  std::vector<std::string> some_joints, open_meshes;
  const char* clip;
  bool reference;
};

void PrintTo(const Expected& e, std::ostream* out) {
  *out << e.name;
}

const std::vector<Expected> kExpected = {
    {"biped_tpose",
     {8000, 15000},
     {2000, 4000},
     {700, 1100},
     59,
     {"hips", "head", "upper_arm.L", "thumb_03.R", "pinky_03.L", "toe.R"},
     {},
     "walk",
     true},
    {"biped_apose", {8000, 15000}, {2000, 4000}, {700, 1100}, 59, {"index_01.L", "shin.L", "jaw"}, {}, "walk", true},
    {"knight", {8000, 15000}, {2000, 4000}, {700, 1200}, 59, {"hips"}, {"cape"}, "walk", false},
    {"quadruped", {6000, 15000}, {1500, 4000}, {400, 1100}, 40, {"tail_05", "ear_02.R", "hock.L"}, {}, "trot", false},
    {"bear", {6000, 15000}, {1500, 4000}, {400, 1100}, 31, {"tail_01", "ear.R", "hock.L"}, {}, "walk", false},
    {"bear_fine", {25000, 50000}, {6000, 15000}, {1500, 4000}, 31, {"tail_01"}, {}, "walk", true},
    {"lion", {6000, 15000}, {1500, 4000}, {400, 1100}, 36, {"tail_06", "ear.R", "hock.L"}, {}, "walk", false},
    {"robot",
     {6000, 15000},
     {1500, 4000},
     {400, 1100},
     44,
     {"ik_foot.L", "pole_knee.R", "ctrl_root", "head_end", "claw_01_end.L"},
     {},
     "wave",
     true},
    {"dancer", {8000, 15000}, {2000, 4000}, {700, 1100}, 83, {"skirt_0_01", "skirt_7_03"}, {"skirt"}, "twirl", false},
};

void generate(const std::filesystem::path& folder, const std::string& only) {
  const std::string command =
      std::string("\"") + SKINCELLS_EXAMPLES_PROGRAM + "\" \"" + folder.string() + "\" --only " + only;
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

// A file of ours, taken apart: tightly packed accessors, one binary chunk.
struct File {
  json doc;
  Bytes bytes;
  std::span<const std::uint8_t> binary;

  explicit File(const std::filesystem::path& path) : bytes(test::readBytes(path)) {
    const auto chunks = io::unpackGlb(bytes, "file");
    if (!chunks) return;
    doc = json::parse(chunks->json);
    binary = chunks->binary;
  }

  template <class T> std::vector<T> read(int accessor) const {
    const json& a = doc["accessors"][static_cast<std::size_t>(accessor)];
    const json& view = doc["bufferViews"][a["bufferView"].get<std::size_t>()];
    std::vector<T> values(view["byteLength"].get<std::size_t>() / sizeof(T));
    std::memcpy(values.data(), binary.data() + view.value("byteOffset", std::size_t{0}), values.size() * sizeof(T));
    return values;
  }

  Mesh mesh(const json& m) const {
    Mesh result;
    for (const json& p : m["primitives"]) {
      const auto first = result.vertexCount();
      const auto positions = read<Vec3f>(p["attributes"]["POSITION"]);
      result.positions.insert(result.positions.end(), positions.begin(), positions.end());
      for (const auto& t : read<std::array<std::uint16_t, 3>>(p["indices"]))
        result.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    return result;
  }

  std::array<int, 2> vertexAndTriangleCount() const {
    std::array<int, 2> count{};
    for (const json& m : doc["meshes"]) {
      const Mesh part = mesh(m);
      count[0] += static_cast<int>(part.vertexCount());
      count[1] += static_cast<int>(part.triangles.size());
    }
    return count;
  }

  // Nodes without a mesh: the skeleton.
  std::vector<std::string> jointNames() const {
    std::vector<std::string> names;
    for (const json& n : doc["nodes"])
      if (!n.contains("mesh")) names.push_back(n["name"]);
    return names;
  }
};

class Examples : public testing::TestWithParam<Expected> {
protected:
  void SetUp() override { generate(folder_.path(""), GetParam().name); }
  File file(const std::string& suffix = "") const { return File(path(suffix)); }
  std::filesystem::path path(const std::string& suffix) const {
    return folder_.path(GetParam().name + suffix + ".glb");
  }

  void expectSound(const File& f, bool manifold) const;
  void expectNormalsOutwards(const File& f, double share) const;
  void expectSkeleton(const File& f) const;
  void expectLoopingClip(const File& f) const;
  void expectReference(const File& f) const;

  test::TemporaryFolder folder_;
};

void Examples::expectSound(const File& f, bool manifold) const {
  for (const json& m : f.doc["meshes"]) {
    SCOPED_TRACE(m["name"].get<std::string>());
    const Mesh mesh = f.mesh(m);
    ASSERT_FALSE(mesh.triangles.empty());
    const Topology topology = analyzeTopology(mesh, weldByPosition(mesh.positions, 0));
    const auto& open = GetParam().open_meshes;
    const bool is_open = std::find(open.begin(), open.end(), m["name"]) != open.end();
    EXPECT_EQ(topology.open_edge_count > 0, is_open);
    if (manifold) {
      EXPECT_EQ(topology.non_manifold_edge_count, 0u);
    }
    for (const json& p : m["primitives"]) EXPECT_LT(p["material"].get<std::size_t>(), f.doc["materials"].size());
  }
}

// Unit normals on the front side of their triangles, save for a few where a level is too coarse for its detail.
void Examples::expectNormalsOutwards(const File& f, double share) const {
  std::size_t front = 0, count = 0;
  for (const json& m : f.doc["meshes"])
    for (const json& p : m["primitives"]) {
      const auto positions = f.read<Vec3f>(p["attributes"]["POSITION"]);
      const auto normals = f.read<Vec3f>(p["attributes"]["NORMAL"]);
      for (const Vec3f& n : normals) ASSERT_NEAR(length(n), 1, 1e-3);
      for (const auto& t : f.read<std::array<std::uint16_t, 3>>(p["indices"])) {
        const Vec3f face = cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]);
        front += dot(face, normals[t[0]] + normals[t[1]] + normals[t[2]]) > 0 ? 1 : 0;
        ++count;
      }
    }
  EXPECT_GE(static_cast<double>(front) / static_cast<double>(count), share);
}

void Examples::expectSkeleton(const File& f) const {
  std::vector<std::string> skeleton_roots;
  for (const std::size_t root : f.doc["scenes"][0]["nodes"])
    if (!f.doc["nodes"][root].contains("mesh")) skeleton_roots.push_back(f.doc["nodes"][root]["name"]);
  EXPECT_EQ(skeleton_roots, std::vector<std::string>{"skeleton"});
  const auto names = f.jointNames();
  EXPECT_EQ(names.size(), static_cast<std::size_t>(GetParam().joints));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& joint : GetParam().some_joints)
    EXPECT_NE(std::find(names.begin(), names.end(), joint), names.end()) << joint;
}

void Examples::expectLoopingClip(const File& f) const {
  ASSERT_EQ(f.doc["animations"].size(), 1u);
  const json& clip = f.doc["animations"][0];
  EXPECT_EQ(clip["name"], GetParam().clip);
  EXPECT_GT(clip["channels"].size(), 10u);
  for (const json& channel : clip["channels"]) {
    const json& sampler = clip["samplers"][channel["sampler"].get<std::size_t>()];
    const auto values = f.read<float>(sampler["output"]);
    const std::size_t width = channel["target"]["path"] == "rotation" ? 4 : 3;
    float sign = 1; // a quaternion and its negative are the same rotation
    if (width == 4 && values[values.size() - 1] * values[3] < 0) sign = -1;
    for (std::size_t k = 0; k < width; ++k) EXPECT_NEAR(values[k], sign * values[values.size() - width + k], 1e-5);
  }
}

void Examples::expectReference(const File& f) const {
  ASSERT_EQ(f.doc["skins"].size(), 1u);
  const auto names = f.jointNames();
  EXPECT_EQ(f.doc["skins"][0]["joints"].size(), names.size());
  std::set<std::string> deforming;
  for (const json& m : f.doc["meshes"])
    for (const json& p : m["primitives"]) {
      const auto joints = f.read<std::array<std::uint16_t, 4>>(p["attributes"]["JOINTS_0"]);
      const auto weights = f.read<std::array<float, 4>>(p["attributes"]["WEIGHTS_0"]);
      for (std::size_t v = 0; v < weights.size(); ++v) {
        float sum = 0;
        for (std::size_t k = 0; k < 4; ++k) {
          sum += weights[v][k];
          if (weights[v][k] > 0) deforming.insert(names[joints[v][k]]);
        }
        ASSERT_NEAR(sum, 1, 1e-5);
        if (std::string(GetParam().name) == "robot") {
          ASSERT_EQ(weights[v][0], 1);
        }
      }
    }
  for (const std::string& name : deforming) {
    const bool helper = name == "skeleton" || name.starts_with("ik_") || name.starts_with("pole_") ||
                        name.starts_with("ctrl_") || name.find("_end") != std::string::npos;
    EXPECT_FALSE(helper) << name;
  }
  EXPECT_GT(deforming.size(), names.size() / 2);
}

TEST_P(Examples, AreSoundCharactersAtEveryLevelOfDetail) {
  const Expected& expected = GetParam();
  const std::array<std::array<int, 2>, 3> ranges{expected.vertices, expected.lod1_vertices, expected.lod2_vertices};
  double triangles_before = 0;
  for (int lod = 0; lod < 3; ++lod) {
    SCOPED_TRACE(lod);
    const File f = file(lod == 0 ? "" : "_lod" + std::to_string(lod));
    ASSERT_FALSE(f.doc.is_null());
    EXPECT_FALSE(f.doc.contains("skins"));
    const auto [vertices, triangles] = f.vertexAndTriangleCount();
    EXPECT_GE(vertices, ranges[static_cast<std::size_t>(lod)][0]);
    EXPECT_LE(vertices, ranges[static_cast<std::size_t>(lod)][1]);
    if (lod > 0) {
      EXPECT_NEAR(triangles / triangles_before, 0.25, 0.05);
    }
    triangles_before = triangles;
    expectSound(f, lod == 0);
    expectNormalsOutwards(f, lod < 2 ? 0.98 : 0.95); // thin plates of a few dozen triangles fold here and there
    expectSkeleton(f);
    expectLoopingClip(f);
  }
  EXPECT_EQ(std::filesystem::exists(path("_reference")), expected.reference);
  if (expected.reference) expectReference(file("_reference"));
}

// One of each kind: a body, rigid plates, a body with a sheet.
class RepeatedExamples : public Examples {};

TEST_P(RepeatedExamples, AreTheSameEveryTime) {
  test::TemporaryFolder again;
  generate(again.path(""), GetParam().name);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path(""))) {
    EXPECT_TRUE(test::readBytes(entry.path()) == test::readBytes(again.path(entry.path().filename().string())))
        << entry.path().filename();
    files += entry.path().extension() == ".glb"; // some also have splats
  }
  EXPECT_EQ(files, GetParam().reference ? 4 : 3);
}

std::string nameOf(const testing::TestParamInfo<Expected>& test) {
  return test.param.name;
}
INSTANTIATE_TEST_SUITE_P(All, Examples, testing::ValuesIn(kExpected), nameOf);
INSTANTIATE_TEST_SUITE_P(Some, RepeatedExamples, testing::ValuesIn(kExpected.begin() + 3, kExpected.end()), nameOf);

TEST(BrokenExample, IsBrokenAsDocumented) {
  test::TemporaryFolder folder;
  generate(folder.path(""), "broken");
  Bytes bytes = test::readBytes(folder.path("broken.glb"));
  const auto chunks = io::unpackGlb(bytes, "broken.glb");
  ASSERT_FALSE(chunks);
  EXPECT_EQ(chunks.error().code, ErrorCode::InvalidFile);

  // With the missing bytes filled in it is still broken.
  std::uint32_t promised = 0;
  std::memcpy(&promised, &bytes[8], 4);
  ASSERT_GT(promised, bytes.size());
  bytes.resize(promised);
  test::writeBytes(folder.path("padded.glb"), bytes);
  const File f(folder.path("padded.glb"));
  ASSERT_FALSE(f.doc.is_null());
  const Mesh mesh = f.mesh(f.doc["meshes"][0]);
  EXPECT_TRUE(std::any_of(mesh.positions.begin(), mesh.positions.end(), [](const Vec3f& p) { return !isFinite(p); }));
  EXPECT_TRUE(std::any_of(mesh.triangles.begin(), mesh.triangles.end(),
                          [&](const Triangle& t) { return t[2] >= mesh.vertexCount(); }));
}

TEST(SplatExample, LiesOnTheCharacter) {
  test::TemporaryFolder folder;
  const std::string command = std::string("\"") + SKINCELLS_EXAMPLES_PROGRAM + "\" \"" + folder.path("").string() +
                              "\" --only biped_apose --splats 3000";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto cloud = PointCloudFile::read(folder.path("biped_apose_splats.ply"));
  const auto character = CharacterFile::read(folder.path("biped_apose.glb"));
  ASSERT_TRUE(cloud && character);
  EXPECT_EQ(cloud->mesh().positions.size(), 3000U);
  EXPECT_TRUE(cloud->info().splats);
  EXPECT_EQ(cloud->info().harmonics_degree, 3);
  EXPECT_EQ(io::PointCloudAccess::plyFile(*cloud).vertices().properties.size(), 62U);
  const mesh::RayQuery surface(character->character().mesh);
  for (const Vec3f& p : cloud->mesh().positions) EXPECT_LT(surface.closestPoint(toDouble(p))->distance, 1e-5);
}

TEST(ExamplesProgram, RefusesUnknownNames) {
  test::TemporaryFolder folder;
  const std::string program = std::string("\"") + SKINCELLS_EXAMPLES_PROGRAM + "\" ";
  EXPECT_NE(std::system((program + "\"" + folder.path("").string() + "\" --only nobody 2>/dev/null").c_str()), 0);
  EXPECT_NE(std::system((program + "--unknown 2>/dev/null").c_str()), 0);
  EXPECT_EQ(std::system((program + "--list >/dev/null").c_str()), 0);
}

} // namespace
} // namespace skincells
