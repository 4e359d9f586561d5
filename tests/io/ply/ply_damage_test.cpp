// Damaged PLY files end in clear errors.
#include <gtest/gtest.h>

#include "base/random.h"
#include "skincells/io/point_cloud.h"
#include "support/ply_builder.h"

namespace skincells::test {
namespace {

Error errorOf(const std::string& text) {
  auto file = PointCloudFile::readPly(toBytes(text), "bad.ply");
  EXPECT_FALSE(file.has_value());
  return file ? Error{} : file.error();
}

const std::vector<std::string> kXyz{"property float x", "property float y", "property float z"};

// A text file with these lines before and after x, y and z.
std::string withLines(std::vector<std::string> before, const std::vector<std::string>& after, const std::string& body) {
  before.insert(before.end(), kXyz.begin(), kXyz.end());
  before.insert(before.end(), after.begin(), after.end());
  return plyHeader(PlyKind::Ascii, before) + body;
}

TEST(PlyDamage, SaysWhatIsWrong) {
  struct Case {
    std::string text;
    ErrorCode code;
    std::string message;
  };
  const std::string vertex = "element vertex 1";
  const std::vector<Case> cases{
      {"", ErrorCode::InvalidFile, "no PLY file"},
      {"plywood\n", ErrorCode::InvalidFile, "no PLY file"},
      {"ply\nformat ascii 1.0\n", ErrorCode::InvalidFile, "end_header"},
      {"ply\nelement vertex 1\nproperty float x\nend_header\n", ErrorCode::InvalidFile, "format"},
      {"ply\nformat ebcdic 1.0\nend_header\n", ErrorCode::InvalidFile, "ascii"},
      {"ply\nformat ascii 2.0\nend_header\n", ErrorCode::UnsupportedFeature, "1.0"},
      {withLines({vertex, "frobnicate"}, {}, "0 0 0"), ErrorCode::InvalidFile, "frobnicate"},
      {withLines({"element vertex -1"}, {}, "0 0 0"), ErrorCode::InvalidFile, "whole number"},
      {withLines({"element vertex many"}, {}, "0 0 0"), ErrorCode::InvalidFile, "whole number"},
      {withLines({vertex, "property half a"}, {}, "0 0 0 0"), ErrorCode::InvalidFile, "half"},
      {withLines({vertex, "property list float int a"}, {}, "0 0 0 0"), ErrorCode::InvalidFile, "length of a list"},
      {withLines({vertex, "property float x"}, {}, "0 0 0 0"), ErrorCode::InvalidFile, "two properties"},
      {withLines({vertex}, {vertex}, "0 0 0"), ErrorCode::InvalidFile, "twice"},
      {"ply\nformat ascii 1.0\nproperty float x\nend_header\n", ErrorCode::InvalidFile, "precedes the first element"},
      {plyHeader(PlyKind::Ascii, {"element point 1", "property float x"}) + "1", ErrorCode::NoMesh, "vertex"},
      {plyHeader(PlyKind::Ascii, {vertex, "property float x", "property float y"}) + "1 2", ErrorCode::NoMesh, "'z'"},
      {withLines({"element vertex 0"}, {}, ""), ErrorCode::NoMesh, "no vertices"},
      {withLines({vertex}, {}, "0 nan 0"), ErrorCode::InvalidFile, "vertex 0"},
      {withLines({vertex}, {}, "0 1e39 0"), ErrorCode::InvalidFile, "vertex 0"},
      {withLines({vertex}, {}, "0 -1e400 0"), ErrorCode::InvalidFile, "no number"},
      {withLines({vertex}, {}, "0 0 1" + std::string(400, '0')), ErrorCode::InvalidFile, "no number"},
      {withLines({vertex}, {}, "0 one 0"), ErrorCode::InvalidFile, "'y'"},
      {withLines({vertex}, {"property uchar a"}, "0 0 0 256"), ErrorCode::InvalidFile, "'a'"},
      {withLines({vertex}, {"property int a"}, "0 0 0 1.5"), ErrorCode::InvalidFile, "'a'"},
      {withLines({vertex}, {}, "0 0"), ErrorCode::InvalidFile, "truncated"},
      {withLines({"element vertex 2"}, {}, "0 0 0"), ErrorCode::InvalidFile, "truncated"},
      {withLines({"element vertex 2147483647"}, {}, "0 0 0"), ErrorCode::InvalidFile, "truncated"},
      {withLines({"element vertex 18446744073709551615"}, {}, "0 0 0"), ErrorCode::TooLarge, "vertices"},
      {withLines({vertex}, {"property list int int a"}, "0 0 0 2000000000 1"), ErrorCode::InvalidFile, "impossible"},
      {withLines({vertex}, {"property list int int a"}, "0 0 0 -1 1"), ErrorCode::InvalidFile, "impossible"},
      {withLines({vertex}, {"element face 1", "property list uchar int vertex_indices"}, "0 0 0\n3 0 0 1"),
       ErrorCode::InvalidFile, "no vertex"},
      {withLines({vertex, "property ushort joint_0", "property float weight_0", "comment skincells joint 0 hips"}, {},
                 "1 1 0 0 0"),
       ErrorCode::InvalidFile, "does not name"},
      {withLines({vertex, "comment skincells joint 1 hips"}, {}, "0 0 0"), ErrorCode::InvalidFile, "names joint 0"},
      {withLines({vertex, "comment skincells joint one hips"}, {}, "0 0 0"), ErrorCode::InvalidFile, "joint comment"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const Error error = errorOf(c.text);
    EXPECT_EQ(error.code, c.code) << error.text();
    EXPECT_NE(error.message.find(c.message), std::string::npos) << error.text();
    EXPECT_EQ(error.where.substr(0, 7), "bad.ply");
  }
}

TEST(PlyDamage, CountsThatLieInBinaryFiles) {
  std::string text = splatPly(PlyKind::Little, 3, 1);
  text.replace(text.find("vertex 3"), 8, "vertex 4");
  EXPECT_NE(errorOf(text).message.find("truncated"), std::string::npos);
  text.replace(text.find("vertex 4"), 8, "vertex 2000000000");
  EXPECT_NE(errorOf(text).message.find("truncated"), std::string::npos);
}

TEST(PlyDamage, ManyPropertiesAreRefused) {
  std::vector<std::string> lines{"element vertex 1"};
  for (int i = 0; i < 5000; ++i) lines.push_back("property float p" + std::to_string(i));
  EXPECT_EQ(errorOf(plyHeader(PlyKind::Ascii, lines)).code, ErrorCode::TooLarge);
}

// Every prefix of a file is refused, or lacks only bytes without meaning.
TEST(PlyDamage, TruncatedFilesAreRefused) {
  for (const PlyKind kind : {PlyKind::Ascii, PlyKind::Little, PlyKind::Big}) {
    const std::string text = samplePly(kind);
    for (std::size_t size = 0; size + 2 < text.size(); ++size)
      EXPECT_FALSE(PointCloudFile::readPly(toBytes(text.substr(0, size)), "cut.ply").has_value()) << size;
  }
}

// Accepted damaged files are valid: finite positions, triangles and joints in range.
TEST(PlyDamage, MutatedFilesNeverGiveNonsense) {
  Random random(7);
  int read = 0;
  for (const PlyKind kind : {PlyKind::Ascii, PlyKind::Little, PlyKind::Big})
    for (int round = 0; round < 3000; ++round) {
      std::string text = round % 2 == 0 ? samplePly(kind) : splatPly(kind, 2, 1);
      for (std::uint32_t changes = 1 + random.below(3); changes > 0; --changes)
        text[random.below(static_cast<std::uint32_t>(text.size()))] = static_cast<char>(random.below(256));
      const auto file = PointCloudFile::readPly(toBytes(text), "mutated.ply");
      if (!file) continue;
      ++read;
      for (const Vec3f& p : file->mesh().positions) ASSERT_TRUE(isFinite(p));
      for (const Triangle& t : file->mesh().triangles)
        for (const std::uint32_t v : t) ASSERT_LT(v, file->mesh().positions.size());
    }
  EXPECT_GT(read, 100); // the test reaches beyond the header
}

} // namespace
} // namespace skincells::test
