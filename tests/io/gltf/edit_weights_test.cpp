// Writing: only skinning changes, and the weights are valid and canonical.
#include <algorithm>

#include <gtest/gtest.h>

#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/jobs/check_job.h"
#include "support/files.h"
#include "support/gltf_builder.h"
#include "support/preservation.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

// Rows that spread over `slots` joints in falling order.
SparseWeights spreadWeights(const Character& c, int slots) {
  SparseWeights w(c.mesh.positions.size(), slots);
  const int joints = c.skeleton.jointCount();
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v)
    for (int k = 0; k < std::min(slots, joints); ++k) {
      w.jointRow(v)[static_cast<std::size_t>(k)] =
          static_cast<std::uint16_t>((static_cast<std::size_t>(k) + v) % static_cast<std::size_t>(joints));
      w.weightRow(v)[static_cast<std::size_t>(k)] = 1.0f / static_cast<float>(k + 2 + static_cast<int>(v % 3));
    }
  canonicalize(w, slots);
  return w;
}

class GltfWrite : public testing::Test {
protected:
  fs::path path(const std::string& name) const { return folder_.path(name); }
  CharacterFile open(const std::string& name) const {
    auto file = CharacterFile::read(path(name).string());
    if (!file) throw std::runtime_error(file.error().text());
    return std::move(*file);
  }
  // Binds `in` with K influences and writes it as `out`.
  Result<void> rebind(const std::string& in, const std::string& out, int slots = 4, WriteOptions options = {}) const {
    const CharacterFile file = open(in);
    return file.write(path(out).string(), spreadWeights(file.character(), slots), options);
  }
  void expectClean(const std::string& in, const std::string& out) const {
    for (const std::string& change : foreignChanges(loadDocument(path(in)), loadDocument(path(out))))
      ADD_FAILURE() << out << " changed " << change;
  }
  // The same where unused data has left.
  void expectSameData(const std::string& in, const std::string& out) const {
    for (const std::string& change : dataChanges(loadDocument(path(in)), loadDocument(path(out))))
      ADD_FAILURE() << out << " changed " << change;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(path("")))
      out.push_back(fs::relative(entry.path(), path("")).string());
    std::sort(out.begin(), out.end());
    return out;
  }
  TemporaryFolder folder_;
};

// A document with all kinds of data that must not change.
TubeDocument richDocument() {
  TubeDocument b(4);
  b.json["extras"] = {{"zebra", 1}, {"apple", {1.5, "x", nullptr}}};
  b.json["extensionsUsed"] = {"ACME_unknown"};
  b.json["extensions"]["ACME_unknown"] = {{"deep", {{"value", 0.1}}}};
  b.json["materials"] = Json::array({{{"name", "skin"}, {"extensions", {{"ACME_unknown", true}}}}});
  b.json["cameras"] = Json::array({{{"type", "perspective"}, {"perspective", {{"yfov", 0.7}, {"znear", 0.1}}}}});
  b.primitive()["material"] = 0;
  b.primitive()["targets"] = Json::array({{{"POSITION", b.parts.position}}});
  b.primitive()["extras"] = "kept";
  b.json["animations"] = Json::array(
      {{{"samplers", Json::array({{{"input", b.data(std::vector<float>{0, 1}, "SCALAR")},
                                   {"output", b.data(std::vector<float>{0, 0, 0, 1, 0, 0}, "VEC3")}}})},
        {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 2}, {"path", "translation"}}}}})}}});
  return b;
}

// Raw numbers of an attribute of the first primitive.
template <class T> std::vector<T> raw(const io::GltfDocument& doc, const std::string& attribute) {
  const auto& a = doc.model.accessors[static_cast<std::size_t>(doc.model.meshes[0].primitives[0].attribute(attribute))];
  const auto& view = doc.model.views[static_cast<std::size_t>(a.view)];
  std::vector<T> out(4 * a.count);
  std::memcpy(out.data(),
              doc.model.buffers[static_cast<std::size_t>(view.buffer)].bytes.data() + view.offset + a.offset,
              out.size() * sizeof(T));
  return out;
}

template <class T, class J> void expectTidyRows(const io::GltfDocument& doc, std::uint64_t total) {
  const auto weights = raw<T>(doc, "WEIGHTS_0");
  const auto joints = raw<J>(doc, "JOINTS_0");
  ASSERT_EQ(weights.size(), joints.size());
  for (std::size_t v = 0; v * 4 < weights.size(); ++v) {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const T w = weights[4 * v + k];
      sum += w;
      EXPECT_TRUE(k == 0 || w <= weights[4 * v + k - 1]) << "unsorted row " << v;
      EXPECT_TRUE(w > 0 || joints[4 * v + k] == 0) << "row " << v;
      for (std::size_t i = 0; i < k; ++i) EXPECT_TRUE(w == 0 || joints[4 * v + k] != joints[4 * v + i]) << "row " << v;
    }
    EXPECT_NEAR(sum, static_cast<double>(total), total == 1 ? 1e-6 : 0) << "row " << v;
  }
}

TEST_F(GltfWrite, ChangesSkinningAndNothingElse) {
  writeBytes(path("in.glb"), richDocument().glb());
  for (const QuantizeChoice choice : {QuantizeChoice::Auto, QuantizeChoice::U8, QuantizeChoice::F32}) {
    WriteOptions options;
    options.quantize = choice;
    options.force = options.keep_unused = true;
    ASSERT_TRUE(rebind("in.glb", "out.glb", 4, options));
    expectClean("in.glb", "out.glb");
    EXPECT_EQ(open("out.glb").info().morph_target_count, 1);
  }
}

TEST_F(GltfWrite, IntegerWeightsSumExactly) {
  TubeDocument b(8);
  writeBytes(path("in.glb"), b.glb());
  WriteOptions options;
  options.quantize = QuantizeChoice::U8;
  ASSERT_TRUE(rebind("in.glb", "u8.glb", 4, options));
  expectTidyRows<std::uint8_t, std::uint8_t>(loadDocument(path("u8.glb")), 255);
  options.quantize = QuantizeChoice::U16;
  ASSERT_TRUE(rebind("in.glb", "u16.glb", 4, options));
  expectTidyRows<std::uint16_t, std::uint8_t>(loadDocument(path("u16.glb")), 65535);
  options.quantize = QuantizeChoice::F32;
  ASSERT_TRUE(rebind("in.glb", "f32.glb", 4, options));
  expectTidyRows<float, std::uint8_t>(loadDocument(path("f32.glb")), 1);
  ASSERT_TRUE(rebind("in.glb", "auto.glb", 4));
  EXPECT_EQ(readBytes(path("auto.glb")), readBytes(path("u16.glb")));
}

TEST_F(GltfWrite, ReadsBackWhatItWrote) {
  writeBytes(path("in.glb"), TubeDocument(8).glb());
  const CharacterFile in = open("in.glb");
  for (int slots : {1, 2, 4, 5, 8}) {
    const SparseWeights written = spreadWeights(in.character(), slots);
    const std::string name = std::to_string(slots) + ".glb";
    ASSERT_TRUE(in.write(path(name).string(), written));
    const CharacterFile file = open(name);
    EXPECT_TRUE(file.skinDefects().empty()) << slots << ": " << file.skinDefects()[0].code;
    CheckOptions check;
    check.max_influences = slots;
    EXPECT_TRUE(checkSkin(file, check).passed);
    const SparseWeights& read = file.character().weights;
    for (std::size_t v = 0; v < written.vertexCount(); ++v)
      for (std::size_t k = 0; k < static_cast<std::size_t>(slots); ++k) {
        EXPECT_EQ(read.jointRow(v)[k], written.jointRow(v)[k]) << slots << " slots, vertex " << v;
        EXPECT_NEAR(read.weightRow(v)[k], written.weightRow(v)[k], 1.0 / 65535);
      }
  }
}

TEST_F(GltfWrite, UsesSixteenBitJointsOnlyWhereNeeded) {
  writeBytes(path("in.glb"), TubeDocument(300).glb());
  const CharacterFile in = open("in.glb");
  SparseWeights w(in.character().mesh.positions.size(), 1);
  for (std::size_t v = 0; v < w.vertexCount(); ++v) w.weights[v] = 1, w.joints[v] = 255;
  ASSERT_TRUE(in.write(path("narrow.glb").string(), w));
  EXPECT_EQ(raw<std::uint8_t>(loadDocument(path("narrow.glb")), "JOINTS_0")[0], 255);
  w.joints[0] = 299;
  ASSERT_TRUE(in.write(path("wide.glb").string(), w));
  EXPECT_EQ(raw<std::uint16_t>(loadDocument(path("wide.glb")), "JOINTS_0")[0], 299);
  EXPECT_EQ(open("wide.glb").character().weights.jointRow(0)[0], 299);
}

TEST_F(GltfWrite, AddsAndRemovesTheSecondSet) {
  writeBytes(path("in.glb"), richDocument().glb());
  const auto has_second = [&](const std::string& name) {
    const auto doc = loadDocument(path(name));
    const auto& p = doc.model.meshes[0].primitives[0];
    EXPECT_EQ(p.attribute("WEIGHTS_1") >= 0, p.attribute("JOINTS_1") >= 0);
    return p.attribute("WEIGHTS_1") >= 0;
  };
  WriteOptions keep;
  keep.keep_unused = true;
  ASSERT_TRUE(rebind("in.glb", "eight.glb", 8, keep));
  EXPECT_TRUE(has_second("eight.glb"));
  ASSERT_TRUE(rebind("eight.glb", "four.glb", 4, keep));
  EXPECT_FALSE(has_second("four.glb"));
  expectClean("eight.glb", "four.glb");
  EXPECT_LE(open("four.glb").character().weights.slots, 4);
}

// Weights in another format do not fit into the place of the old ones.
TEST_F(GltfWrite, ReplacedWeightsLeaveTheFile) {
  TubeDocument b(4);
  b.save(path("in.glb"));
  WriteOptions bytes, floats, keep;
  bytes.quantize = QuantizeChoice::U8;
  floats.quantize = QuantizeChoice::F32;
  keep = floats;
  keep.keep_unused = true;
  ASSERT_TRUE(rebind("in.glb", "bytes.glb", 4, bytes));
  ASSERT_TRUE(rebind("bytes.glb", "eight.glb", 8, floats)); // the second set is new
  ASSERT_TRUE(rebind("eight.glb", "four.glb", 4, floats));  // and goes again
  ASSERT_TRUE(rebind("bytes.glb", "floats.glb", 4, floats));
  ASSERT_TRUE(rebind("bytes.glb", "kept.glb", 4, keep));
  EXPECT_EQ(fs::file_size(path("four.glb")), fs::file_size(path("floats.glb")));
  EXPECT_GT(fs::file_size(path("kept.glb")), fs::file_size(path("floats.glb")));
  for (const char* name : {"bytes.glb", "eight.glb", "four.glb", "floats.glb"}) expectSameData("in.glb", name);
}

// An unknown extension may refer to accessors by their numbers: they stay.
TEST_F(GltfWrite, UnknownExtensionsKeepTheNumbersOfAccessors) {
  richDocument().save(path("rich.glb"));
  ASSERT_TRUE(rebind("rich.glb", "eight.glb", 8));
  ASSERT_TRUE(rebind("eight.glb", "four.glb", 4));
  const auto before = loadDocument(path("rich.glb")), after = loadDocument(path("four.glb"));
  for (std::size_t a = 0; a < before.model.accessors.size(); ++a)
    EXPECT_EQ(after.model.accessors[a].count, before.model.accessors[a].count) << a;
  EXPECT_EQ(after.json["animations"], before.json["animations"]);
}

TEST_F(GltfWrite, RebindingDoesNotGrowAnyKindOfFile) {
  const TubeDocument b(4);
  writeBytes(path("0.glb"), b.glb());
  b.save(path("0.gltf"));
  fs::create_directory(path("inline"));
  writeText(path("inline/0.gltf"), b.gltfInline());
  const auto sizes = [&](const std::string& name) {
    std::size_t total = 0;
    for (const auto& buffer : loadDocument(path(name)).model.buffers) total += buffer.bytes.size();
    return std::make_pair(total, loadDocument(path(name)).json["accessors"].size());
  };
  for (const std::string kind : {"", "inline/"})
    for (const std::string extension : {".glb", ".gltf"}) {
      if (kind == "inline/" && extension == ".glb") continue;
      for (int i = 0; i < 3; ++i)
        ASSERT_TRUE(rebind(kind + std::to_string(i) + extension, kind + std::to_string(i + 1) + extension));
      EXPECT_EQ(sizes(kind + "1" + extension), sizes(kind + "3" + extension)) << kind << extension;
    }
}

TEST_F(GltfWrite, RebindingElsewhereUnderTheSameNameKeepsBuffersApart) {
  const TubeDocument b(4);
  b.save(path("a.gltf"));
  for (const char* f : {"one", "two", "three"}) fs::create_directory(path(f));
  WriteOptions options;
  ASSERT_TRUE(rebind("a.gltf", "one/a.gltf", 4, options));
  options.quantize = QuantizeChoice::U8; // a smaller buffer than before
  ASSERT_TRUE(rebind("one/a.gltf", "two/a.gltf", 4, options));
  EXPECT_TRUE(checkSkin(open("two/a.gltf")).passed);
  options.quantize = QuantizeChoice::F32;
  ASSERT_TRUE(rebind("two/a.gltf", "three/a.gltf", 8, options));
  EXPECT_EQ(open("three/a.gltf").character().weights.slots, 4); // four joints only
  expectSameData("a.gltf", "three/a.gltf");
}

TEST_F(GltfWrite, TurnsGlbIntoGltf) {
  writeBytes(path("in.glb"), richDocument().glb());
  ASSERT_TRUE(rebind("in.glb", "out name.gltf"));
  EXPECT_EQ(names(), (std::vector<std::string>{"in.glb", "out name.bin", "out name.gltf"}));
  EXPECT_EQ(loadDocument(path("out name.gltf")).json["buffers"][0]["uri"], "out%20name.bin");
  EXPECT_TRUE(checkSkin(open("out name.gltf")).passed);
  EXPECT_EQ(open("out name.gltf").character().mesh.positions, open("in.glb").character().mesh.positions);
}

constexpr const char* kPicture = "\x89PNG\r\n\x1a\n not really";

TubeDocument picturedDocument() {
  TubeDocument b = richDocument();
  b.json["images"] = Json::array({{{"uri", "textures/my%20skin.png"}}});
  b.json["textures"] = Json::array({{{"source", 0}}});
  return b;
}

TEST_F(GltfWrite, EmbedsImagesOnTheWayToGlb) {
  picturedDocument().save(path("in.gltf"));
  fs::create_directory(path("textures"));
  writeText(path("textures/my skin.png"), kPicture);
  ASSERT_TRUE(rebind("in.gltf", "out.glb"));
  const auto doc = loadDocument(path("out.glb"));
  const Json& image = doc.json["images"][0];
  EXPECT_EQ(image["mimeType"], "image/png");
  EXPECT_FALSE(image.contains("uri"));
  const auto& view = doc.model.views[image["bufferView"].get<std::size_t>()];
  const auto& bytes = doc.model.buffers[0].bytes;
  EXPECT_EQ(std::string(bytes.begin() + static_cast<std::ptrdiff_t>(view.offset),
                        bytes.begin() + static_cast<std::ptrdiff_t>(view.offset + view.length)),
            kPicture);
  EXPECT_EQ(doc.json["buffers"].size(), 1U);
  EXPECT_FALSE(doc.json["buffers"][0].contains("uri"));
}

TEST_F(GltfWrite, CopiesResourcesIntoAnotherFolder) {
  picturedDocument().save(path("in.gltf"));
  fs::create_directory(path("textures"));
  writeText(path("textures/my skin.png"), kPicture);
  fs::create_directory(path("out"));
  ASSERT_TRUE(rebind("in.gltf", "out/out.gltf"));
  EXPECT_EQ(readText(path("out/textures/my skin.png")), kPicture);
  EXPECT_EQ(readBytes(path("out/data.bin")), readBytes(path("data.bin")));
  expectSameData("in.gltf", "out/out.gltf");
  // In the input's own folder they are shared.
  ASSERT_TRUE(rebind("in.gltf", "beside.gltf"));
  expectSameData("in.gltf", "beside.gltf");
  EXPECT_TRUE(checkSkin(open("beside.gltf")).passed);
}

TEST_F(GltfWrite, NeverTouchesTheInput) {
  writeBytes(path("in.glb"), TubeDocument(2).glb());
  WriteOptions force;
  force.force = true;
  fs::create_symlink(path("in.glb"), path("link.glb"));
  for (const char* same : {"in.glb", "link.glb"}) {
    const auto result = rebind("in.glb", same, 4, force);
    ASSERT_FALSE(result) << same;
    EXPECT_EQ(result.error().code, ErrorCode::CannotWrite);
    EXPECT_NE(result.error().message.find("input"), std::string::npos);
  }
  EXPECT_EQ(readBytes(path("in.glb")), TubeDocument(2).glb());
}

TEST_F(GltfWrite, ReplacesAFileOnlyByForce) {
  writeBytes(path("in.glb"), TubeDocument(2).glb());
  writeText(path("out.glb"), "old");
  const auto result = rebind("in.glb", "out.glb");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::CannotWrite);
  EXPECT_NE(result.error().message.find("--force"), std::string::npos);
  EXPECT_EQ(readText(path("out.glb")), "old");
  WriteOptions force;
  force.force = true;
  EXPECT_TRUE(rebind("in.glb", "out.glb", 4, force));
  EXPECT_TRUE(checkSkin(open("out.glb")).passed);
}

TEST_F(GltfWrite, LeavesNothingBehindOnFailure) {
  picturedDocument().save(path("in.gltf"));
  fs::create_directories(path("textures"));
  writeText(path("textures/my skin.png"), kPicture);
  fs::create_directory(path("taken"));
  fs::create_directory(path("taken/out.gltf")); // a folder where the file should go
  const auto before = names();
  WriteOptions force;
  force.force = true;
  EXPECT_FALSE(rebind("in.gltf", "taken/out.gltf")) << "exists";
  EXPECT_FALSE(rebind("in.gltf", "taken/out.gltf", 4, force)) << "is a folder";
  EXPECT_FALSE(rebind("in.gltf", "nowhere/out.gltf")) << "no such folder";
  EXPECT_FALSE(rebind("in.gltf", "out.fbx")) << "not a format that is written";
  EXPECT_EQ(names(), before);
}

TEST_F(GltfWrite, RefusesWeightsOfAnotherMesh) {
  writeBytes(path("in.glb"), TubeDocument(2).glb());
  const CharacterFile file = open("in.glb");
  const auto result = file.write(path("out.glb").string(), SparseWeights(3, 4));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Mismatch);
}

} // namespace
} // namespace skincells::test
