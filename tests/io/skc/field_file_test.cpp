// Field files: round trips, old versions, and every way to damage them.
#include "skincells/io/field_file.h"

#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "base/checksum.h"
#include "skincells/io/character_file.h"
#include "support/field_samples.h"
#include "support/files.h"
#include "support/gltf_builder.h"

namespace skincells::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

void expectSame(const FieldDocument& a, const FieldDocument& b) {
  EXPECT_EQ(a.field.values, b.field.values);
  EXPECT_EQ(a.field.layout.joint_count, b.field.layout.joint_count);
  EXPECT_EQ(a.field.layout.site_count, b.field.layout.site_count);
  EXPECT_EQ(a.field.layout.shape, b.field.layout.shape);
  EXPECT_EQ(a.field.max_influences, b.field.max_influences);
  EXPECT_EQ(a.field.unit_origin, b.field.unit_origin);
  EXPECT_EQ(a.field.unit_scale, b.field.unit_scale);
  EXPECT_EQ(a.joints, b.joints);
  ASSERT_EQ(a.skeleton.joints.size(), b.skeleton.joints.size());
  for (std::size_t j = 0; j < a.skeleton.joints.size(); ++j) {
    EXPECT_EQ(a.skeleton.joints[j].name, b.skeleton.joints[j].name);
    EXPECT_EQ(a.skeleton.joints[j].parent, b.skeleton.joints[j].parent);
    EXPECT_EQ(a.skeleton.joints[j].bind, b.skeleton.joints[j].bind);
    EXPECT_EQ(a.skeleton.joints[j].bind_usable, b.skeleton.joints[j].bind_usable);
  }
  EXPECT_EQ(a.box.lo, b.box.lo);
  EXPECT_EQ(a.box.hi, b.box.hi);
  EXPECT_EQ(a.meters_per_unit, b.meters_per_unit);
  EXPECT_EQ(a.up_axis, b.up_axis);
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    EXPECT_EQ(a.parts[i].box.lo, b.parts[i].box.lo);
    EXPECT_EQ(a.parts[i].box.hi, b.parts[i].box.hi);
    EXPECT_EQ(a.parts[i].center, b.parts[i].center);
    EXPECT_EQ(a.parts[i].vertex_count, b.parts[i].vertex_count);
    EXPECT_EQ(a.parts[i].joints, b.parts[i].joints);
    EXPECT_EQ(a.parts[i].weights, b.parts[i].weights);
  }
  EXPECT_EQ(a.provenance.tool, b.provenance.tool);
  EXPECT_EQ(a.provenance.input, b.provenance.input);
  EXPECT_EQ(a.provenance.input_sha256, b.provenance.input_sha256);
  EXPECT_EQ(a.provenance.options, b.provenance.options);
}

template <class T> T numberAt(const Bytes& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <class T> void setNumber(Bytes& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// The offset of a chunk.
std::size_t chunkAt(const Bytes& bytes, const char* tag) {
  for (std::size_t at = 24; at < bytes.size(); at += 16)
    if (std::memcmp(bytes.data() + at, tag, 4) == 0) return numberAt<std::uint32_t>(bytes, at + 8);
  ADD_FAILURE() << "no chunk " << tag;
  return 0;
}

// Corrects the checksum, so that the checks behind it are tested.
Bytes sealed(Bytes bytes) {
  setNumber(bytes, 12, crc32(std::span(bytes).subspan(16)));
  return bytes;
}

FieldOutput outputTo(const std::string& path, bool embed) {
  FieldOutput output;
  output.options.field = path;
  output.options.embed_field = embed;
  output.bytes = encodeField(sampleDocument());
  return output;
}

Error errorOf(const Bytes& bytes) {
  const auto document = decodeField(bytes, "x.skc");
  EXPECT_FALSE(document) << "was accepted";
  return document ? Error{} : document.error();
}

TEST(FieldFile, RoundTrip) {
  for (FieldShape shape : {FieldShape::ScaleRotation, FieldShape::Triangular}) {
    const FieldDocument document = sampleDocument(4, 2, shape);
    const auto read = decodeField(encodeField(document), "x.skc");
    ASSERT_TRUE(read) << read.error().text();
    expectSame(document, *read);
    EXPECT_EQ(encodeField(*read), encodeField(document));
  }
}

TEST(FieldFile, SixtyFiveJointsTakeLessThan32Kilobytes) {
  FieldDocument document = sampleDocument(66, 6, FieldShape::ScaleRotation, 4);
  for (Joint& joint : document.skeleton.joints) joint.name = "mixamorig:LeftHandMiddle" + joint.name;
  EXPECT_LE(encodeField(document).size(), 32U * 1024U);
  EXPECT_GE(encodeField(document).size(), 16U * 1024U) << "are all numbers in it?";
}

// Files of older programs stay readable; while this version is the newest, the program still writes the same bytes.
TEST(FieldFile, GoldenFileOfVersion1) {
  const Bytes golden = readBytes(sourceFolder() / "tests" / "golden" / "field_v1.skc");
  const auto read = decodeField(golden, "field_v1.skc");
  ASSERT_TRUE(read) << read.error().text();
  expectSame(sampleDocument(), *read);
  EXPECT_EQ(encodeField(sampleDocument()), golden);
}

TEST(FieldFile, EveryTruncationIsAnError) {
  const Bytes bytes = encodeField(sampleDocument());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Error error = errorOf(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_EQ(error.code, ErrorCode::InvalidFile) << size;
    EXPECT_EQ(error.where, "x.skc");
  }
  Bytes longer = bytes;
  longer.push_back(0);
  EXPECT_EQ(errorOf(longer).code, ErrorCode::InvalidFile);
}

TEST(FieldFile, EveryFlippedBitIsNoticed) {
  const Bytes bytes = encodeField(sampleDocument());
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (at == 10 || at == 11) continue; // the minor version does not matter
      Bytes damaged = bytes;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ (1U << bit));
      const Error error = errorOf(damaged);
      EXPECT_TRUE(error.code == ErrorCode::InvalidFile || (at < 10 && error.code == ErrorCode::UnsupportedFeature))
          << "byte " << at << ": " << error.text();
    }
}

// With a correct checksum, damage must lead to an error or to a valid document.
TEST(FieldFile, HostileBytesNeverCrash) {
  const Bytes bytes = encodeField(sampleDocument());
  for (std::size_t at = 16; at < bytes.size(); ++at)
    for (const std::uint8_t value : std::initializer_list<std::uint8_t>{0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      Bytes damaged = bytes;
      damaged[at] = value;
      const auto read = decodeField(sealed(damaged), "x.skc");
      if (!read) continue;
      ASSERT_EQ(read->field.values.size(), read->field.layout.size());
      ASSERT_EQ(read->joints.size(), read->field.layout.joints());
      for (int j : read->joints) ASSERT_LT(static_cast<std::size_t>(j), read->skeleton.joints.size());
      for (float v : read->field.values) ASSERT_TRUE(std::isfinite(v));
    }
}

TEST(FieldFile, HugeCountsAreRefused) {
  const Bytes bytes = encodeField(sampleDocument());
  const std::size_t field = chunkAt(bytes, "FELD"), skeleton = chunkAt(bytes, "SKEL"), parts = chunkAt(bytes, "PART");
  for (std::size_t at : {std::size_t{16}, field, field + 4, field + 12, skeleton, parts, parts + 44})
    for (std::uint32_t count : {0xFFFFFFFFU, 0x7FFFFFFFU, 0x00FFFFFFU, 65535U}) {
      Bytes damaged = bytes;
      setNumber(damaged, at, count);
      EXPECT_EQ(errorOf(sealed(damaged)).code, ErrorCode::InvalidFile) << "at " << at << ": " << count;
    }
}

TEST(FieldFile, NumbersThatAreNoneAreRefused) {
  const Bytes bytes = encodeField(sampleDocument());
  const std::size_t field = chunkAt(bytes, "FELD"), skeleton = chunkAt(bytes, "SKEL"), space = chunkAt(bytes, "SPCE"),
                    parts = chunkAt(bytes, "PART");
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e35F})
    for (std::size_t at : {field + 48, skeleton + 4 + 8, space, parts + 4, parts + 4 + 24, parts + 4 + 44}) {
      Bytes damaged = bytes;
      setNumber(damaged, at, bad);
      EXPECT_EQ(errorOf(sealed(damaged)).code, ErrorCode::InvalidFile) << "at " << at;
    }
  for (double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    Bytes damaged = bytes;
    setNumber(damaged, field + 40, bad); // the scale of the unit box
    EXPECT_EQ(errorOf(sealed(damaged)).code, ErrorCode::InvalidFile);
  }
}

TEST(FieldFile, ImpossibleSkeletonsAreRefused) {
  const Bytes bytes = encodeField(sampleDocument());
  const std::size_t first = chunkAt(bytes, "SKEL") + 4;
  for (std::int32_t parent : {1, 3, 4, -2}) { // cyclic (joint 1 is a child of joint 0) or out of range
    Bytes damaged = bytes;
    setNumber(damaged, first, parent);
    EXPECT_EQ(errorOf(sealed(damaged)).code, ErrorCode::InvalidFile) << parent;
  }
  for (std::int32_t cell : {0, 3, 100}) { // taken by another joint, or no such cell
    Bytes damaged = bytes;
    setNumber(damaged, first + 4, cell);
    EXPECT_EQ(errorOf(sealed(damaged)).code, ErrorCode::InvalidFile) << cell;
  }
}

TEST(FieldFile, NewerVersionsSayWhatToDo) {
  Bytes bytes = encodeField(sampleDocument());
  setNumber<std::uint16_t>(bytes, 8, 2);
  const Error newer = errorOf(bytes);
  EXPECT_EQ(newer.code, ErrorCode::UnsupportedFeature);
  EXPECT_NE(newer.message.find("version 2"), std::string::npos) << newer.message;
  EXPECT_NE(newer.message.find("newer program"), std::string::npos) << newer.message;

  // An unknown chunk is skipped, unless it is critical.
  bytes = encodeField(sampleDocument());
  std::memcpy(bytes.data() + 24 + 4 * 16, "SYMM", 4);
  EXPECT_EQ(errorOf(sealed(bytes)).code, ErrorCode::InvalidFile); // the provenance is missing
  setNumber<std::uint32_t>(bytes, 24 + 4 * 16 + 4, 1);
  EXPECT_EQ(errorOf(sealed(bytes)).code, ErrorCode::UnsupportedFeature);
}

TEST(FieldFile, OtherFilesAreErrors) {
  const TemporaryFolder folder;
  writeText(folder.path("notes.skc"), "hello");
  writeText(folder.path("empty.skc"), "");
  for (const char* name : {"notes.skc", "empty.skc", "missing.skc"}) {
    const auto read = readFieldFile(folder.path(name).string());
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().where.find(name), std::string::npos);
  }
}

TEST(FieldFile, EmbeddedInGltfAndBack) {
  const TemporaryFolder folder;
  const FieldDocument document = sampleDocument();
  const CharacterFile file = TubeDocument(4).read();
  for (const char* name : {"a.glb", "a.gltf"}) {
    const std::string path = folder.path(name).string();
    const FieldOutput field = outputTo("", true);
    ASSERT_TRUE(file.write(path, file.character().weights, {}, field));
    const auto read = readFieldFile(path);
    ASSERT_TRUE(read) << read.error().text();
    expectSame(document, *read);
    // The old field does not match the new weights.
    const auto again = CharacterFile::read(path);
    ASSERT_TRUE(again) << again.error().text();
    const std::string second = folder.path(std::string("b") + name).string();
    ASSERT_TRUE(again->write(second, again->character().weights));
    const auto gone = readFieldFile(second);
    ASSERT_FALSE(gone);
    EXPECT_NE(gone.error().message.find("--embed-field"), std::string::npos) << gone.error().message;
  }
}

TEST(FieldFile, ExtrasOfOtherKindsAreLeftAlone) {
  const TemporaryFolder folder;
  TubeDocument tube(4);
  tube.json["extras"] = "a text";
  const CharacterFile file = tube.read();
  const FieldOutput field = outputTo(folder.path("a.skc").string(), true);
  const auto written = file.write(folder.path("a.glb").string(), file.character().weights, {}, field);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::UnsupportedFeature);
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.skc"))) << "all or nothing";
}

TEST(FieldFile, FieldAndCharacterAreWrittenTogether) {
  const TemporaryFolder folder;
  const CharacterFile file = TubeDocument(4).read();
  const FieldOutput field = outputTo(folder.path("a.skc").string(), false);
  writeText(folder.path("a.skc"), "old");
  const std::string path = folder.path("a.glb").string();
  EXPECT_FALSE(file.write(path, file.character().weights, {}, field)) << "would replace the old field";
  EXPECT_FALSE(std::filesystem::exists(path));
  WriteOptions force;
  force.force = true;
  EXPECT_TRUE(file.write(path, file.character().weights, force, field));
  EXPECT_TRUE(readFieldFile(folder.path("a.skc").string()));
}

} // namespace
} // namespace skincells::test
