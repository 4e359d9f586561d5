// PLY files: every format and layout is read, and written back with nothing else changed.
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "io/ply/numbers.h"
#include "io/ply/ply_file.h"
#include "io/ply/point_cloud_access.h"
#include "io/ply/splat_layout.h"
#include "skincells/io/point_cloud.h"
#include "skincells/threads.h"
#include "support/files.h"
#include "support/ply_builder.h"

namespace skincells::test {
namespace {

constexpr PlyKind kKinds[] = {PlyKind::Ascii, PlyKind::Little, PlyKind::Big};

PointCloudFile readText(const std::string& text) {
  auto file = PointCloudFile::readPly(toBytes(text), "test.ply");
  EXPECT_TRUE(file.has_value()) << file.error().text();
  return std::move(*file);
}

SparseWeights rowsFor(std::size_t count) {
  SparseWeights weights(count, 2);
  for (std::size_t v = 0; v < count; ++v) {
    weights.jointRow(v)[0] = static_cast<std::uint16_t>(v % 3);
    weights.jointRow(v)[1] = static_cast<std::uint16_t>((v + 1) % 3);
    weights.weightRow(v)[0] = 0.75F;
    weights.weightRow(v)[1] = 0.25F;
  }
  return weights;
}

const std::vector<std::string> kNames{"hips", "left arm", "k\xC3\xB6pf"};

TEST(Ply, ReadsEveryFormatAlike) {
  for (const PlyKind kind : kKinds) {
    const PointCloudFile file = readText(samplePly(kind));
    ASSERT_EQ(file.mesh().positions.size(), 5U);
    EXPECT_EQ(file.mesh().positions[3], (Vec3f{0.25F, 3, -1.5F}));
    ASSERT_EQ(file.mesh().triangles.size(), 2U); // a polygon becomes a fan
    EXPECT_EQ(file.mesh().triangles[1], (Triangle{0, 2, 3}));
    EXPECT_TRUE(file.weights().empty());
    EXPECT_FALSE(file.info().splats);
    std::vector<double> labels(5);
    const int label = io::PointCloudAccess::plyFile(file).find("label");
    io::PointCloudAccess::plyFile(file).numbers(0, 5, std::span(&label, 1), labels);
    EXPECT_EQ(labels, (std::vector<double>{200, 201, 202, 203, 204}));
    EXPECT_EQ(io::PointCloudAccess::plyFile(file).find("marks"), -1); // a list is not a number
  }
}

TEST(Ply, RecognizesSplatsAndTheirDegree) {
  for (int degree = 0; degree <= 3; ++degree) {
    const PointCloudFile file = readText(splatPly(PlyKind::Little, 3, degree));
    EXPECT_TRUE(file.info().splats);
    EXPECT_TRUE(file.info().has_normals);
    EXPECT_EQ(file.info().harmonics_degree, degree);
    EXPECT_TRUE(file.warnings().empty());
  }
}

TEST(Ply, WarnsAboutHarmonicsOfNoDegree) {
  std::string text = splatPly(PlyKind::Ascii, 1, 1);
  text.replace(text.find("f_rest_8"), 8, "f_rust_8");
  const PointCloudFile file = readText(text);
  ASSERT_EQ(file.warnings().size(), 1U);
  EXPECT_EQ(file.warnings()[0].code, "ply.harmonics");
  EXPECT_TRUE(
      io::findSplatLayout(io::PointCloudAccess::plyFile(file)).harmonics.empty()); // unknown layouts are not rotated
}

// Without the added properties, the output equals the input.
TEST(Ply, WritingKeepsAllElse) {
  const TemporaryFolder folder;
  for (const PlyKind kind : kKinds)
    for (const std::string& text : {samplePly(kind), splatPly(kind, 7, 2)}) {
      const PointCloudFile file = readText(text);
      const auto weights = rowsFor(file.mesh().positions.size());
      const auto path = folder.path("out.ply");
      ASSERT_TRUE(file.write(path, weights, kNames, {.force = true}));
      const std::string written = test::readText(path);
      const PointCloudFile again = readText(written);
      EXPECT_EQ(again.jointNames(), kNames);
      EXPECT_EQ(again.weights().joints, weights.joints);
      EXPECT_EQ(again.weights().weights, weights.weights);

      const std::size_t size = kind == PlyKind::Ascii ? 0 : 2 * (2 + 4); // size of the added numbers
      const auto& before = io::PointCloudAccess::plyFile(file);
      const auto& after = io::PointCloudAccess::plyFile(again);
      ASSERT_EQ(before.vertexCount(), after.vertexCount());
      for (std::size_t v = 0; v < before.vertexCount(); ++v) {
        const auto a = before.row(v), b = after.row(v);
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
        EXPECT_TRUE(size == 0 || b.size() == a.size() + size);
      }
      const auto same = [](auto a, auto b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
      EXPECT_TRUE(same(before.beforeVertices(), after.beforeVertices()));
      EXPECT_TRUE(same(before.afterVertices(), after.afterVertices()));
      // Header lines: all the old ones in their order, and new ones between them.
      std::size_t next = 0;
      for (const auto& line : after.header().lines)
        if (next < before.header().lines.size() && line.raw == before.header().lines[next].raw) ++next;
      EXPECT_EQ(next, before.header().lines.size());
      EXPECT_EQ(after.header().lines.size(), before.header().lines.size() + kNames.size() + 4);
    }
}

TEST(Ply, NewWeightsReplaceOldOnes) {
  const TemporaryFolder folder;
  for (const PlyKind kind : kKinds) {
    const PointCloudFile file = readText(samplePly(kind));
    ASSERT_TRUE(file.write(folder.path("once.ply"), rowsFor(5), kNames, {.force = true}));
    auto once = PointCloudFile::read(folder.path("once.ply"));
    ASSERT_TRUE(once.has_value());
    SparseWeights one(5, 1);
    for (float& w : one.weights) w = 1;
    ASSERT_TRUE(once->write(folder.path("twice.ply"), one, {"only"}, {.force = true}));
    ASSERT_TRUE(file.write(folder.path("direct.ply"), one, {"only"}, {.force = true}));
    EXPECT_EQ(readBytes(folder.path("twice.ply")), readBytes(folder.path("direct.ply")));
  }
}

TEST(Ply, APartialSkinIsReplaced) {
  const TemporaryFolder folder;
  const PointCloudFile file =
      readText(plyHeader(PlyKind::Ascii, {"element vertex 1", "property list uchar int weight_0", "property float x",
                                          "property float y", "property float z", "property int joint_2",
                                          "property float weight_2", "property int joint_1"}) +
               "2 7 8 1 2 3 9 0.5 9\n");
  EXPECT_TRUE(file.weights().empty());
  ASSERT_TRUE(file.write(folder.path("out.ply"), rowsFor(1), kNames));
  const auto again = PointCloudFile::read(folder.path("out.ply"));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->mesh().positions, file.mesh().positions);
  EXPECT_EQ(again->weights().weights, rowsFor(1).weights);
  EXPECT_EQ(io::PointCloudAccess::plyFile(*again).vertices().properties.size(), 3U + 4U);
}

// Posed points may exceed the range of the integer type of their property.
TEST(Ply, WholeNumbersAreRoundedAndStayInTheirRange) {
  using io::PlyType;
  const std::tuple<PlyType, double, double> cases[] = {
      {PlyType::I8, 300, 127}, {PlyType::I8, -1e9, -128},         {PlyType::U16, 2.6, 3},
      {PlyType::U16, -2, 0},   {PlyType::I32, 1e300, 2147483647}, {PlyType::U32, NAN, 0}};
  for (const auto& [type, value, expected] : cases)
    for (const io::PlyFormat format : {io::PlyFormat::LittleEndian, io::PlyFormat::BigEndian}) {
      std::vector<std::uint8_t> bytes;
      io::writePlyNumber(value, type, format, bytes);
      ASSERT_EQ(bytes.size(), io::plySize(type));
      EXPECT_EQ(io::readPlyBinary(bytes.data(), type, format), expected) << value;
    }
}

TEST(Ply, OddTextsAreRead) {
  // Windows line ends, tabs, rows broken over lines, signs, comments between properties.
  const PointCloudFile file = readText(plyHeader(PlyKind::Ascii,
                                                 {"element  vertex\t2", "property float32 x", "comment between",
                                                  "property double y", "property int16 z"},
                                                 "\r\n") +
                                       "1 +2\r\n3\r\n-1.5e0\t1e-400 -3");
  EXPECT_EQ(file.mesh().positions[0], (Vec3f{1, 2, 3}));
  EXPECT_EQ(file.mesh().positions[1], (Vec3f{-1.5F, 0, -3}));
}

TEST(Ply, ABodyThatBeginsLikeALineEndIsNoLineEnd) {
  for (const std::string end : {"\n", "\r", "\r\n"}) {
    PlyBody body(PlyKind::Little);
    body.put(0x0D0A0A0A).put(2).put(3);
    const PointCloudFile file = readText(
        plyHeader(PlyKind::Little, {"element vertex 1", "property int x", "property int y", "property int z"}, end) +
        body.bytes());
    EXPECT_EQ(file.mesh().positions[0].x, static_cast<float>(0x0D0A0A0A));
  }
}

TEST(Ply, ThreadsDoNotChangeTheFile) {
  const TemporaryFolder folder;
  const PointCloudFile file = readText(splatPly(PlyKind::Ascii, 9000, 1));
  const auto weights = rowsFor(9000);
  std::vector<std::vector<std::uint8_t>> written;
  for (const int threads : {1, 4}) {
    const ThreadLimit limit(threads);
    ASSERT_TRUE(file.write(folder.path("out.ply"), weights, kNames, {.force = true}));
    written.push_back(readBytes(folder.path("out.ply")));
  }
  EXPECT_EQ(written[0], written[1]);
}

TEST(Ply, NeverWritesOverItsInput) {
  const TemporaryFolder folder;
  writeText(folder.path("in.ply"), samplePly(PlyKind::Ascii));
  const auto file = PointCloudFile::read(folder.path("in.ply"));
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->write(folder.path("in.ply"), rowsFor(5), kNames, {.force = true}).error().code,
            ErrorCode::CannotWrite);
  writeText(folder.path("old.ply"), "old");
  EXPECT_EQ(file->write(folder.path("old.ply"), rowsFor(5), kNames).error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(test::readText(folder.path("old.ply")), "old");
  EXPECT_EQ(file->write(folder.path("out.ply"), rowsFor(4), kNames).error().code, ErrorCode::Mismatch);
}

} // namespace
} // namespace skincells::test
