#include "base/read_file.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/files.h"

namespace fs = std::filesystem;

namespace skincells {
namespace {

class ReadFile : public testing::Test {
protected:
  std::string path(const std::string& name) const { return folder_.path(name).string(); }

  test::TemporaryFolder folder_;
};

TEST_F(ReadFile, ReadsRegularFiles) {
  test::writeText(path("empty"), "");
  test::writeText(path("some"), std::string(100'000, 'x'));
  EXPECT_TRUE(readFile(path("empty"))->empty());
  EXPECT_EQ(readFile(path("some"))->size(), 100'000U);
  EXPECT_EQ(readFile(path("missing")).error().code, ErrorCode::FileNotFound);
}

TEST_F(ReadFile, PiecesAreTheWhole) {
  const std::string text(3'000'000, 'x');
  test::writeText(path("large"), text);
  std::size_t size = 0, largest = 0;
  const auto take = [&](std::span<const std::uint8_t> piece) {
    size += piece.size();
    largest = std::max(largest, piece.size());
  };
  ASSERT_TRUE(readPieces(path("large"), take));
  EXPECT_EQ(size, text.size());
  EXPECT_LT(largest, text.size() / 4);
  EXPECT_EQ(readPieces(path("missing"), take).error().code, ErrorCode::FileNotFound);
  EXPECT_NE(readPieces("/dev/zero", take).error().message.find("pipe or a device"), std::string::npos);
}

// Opening a pipe that nobody writes to would wait for ever.
TEST_F(ReadFile, RefusesPipesDevicesAndFolders) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", path("link"));
  for (const std::string& odd : {path("pipe"), path("link"), std::string("/dev/zero"), std::string("/dev/null")}) {
    const auto bytes = readFile(odd);
    ASSERT_FALSE(bytes) << odd;
    EXPECT_NE(bytes.error().message.find("pipe or a device"), std::string::npos) << bytes.error().text();
  }
  EXPECT_NE(readFile(path("")).error().message.find("folder"), std::string::npos);
}

TEST_F(ReadFile, StaysBelowAFolder) {
  fs::create_directories(path("model/textures"));
  test::writeText(path("secret"), "secret");
  test::writeText(path("model/a.bin"), "a");
  test::writeText(path("model/textures/b.png"), "b");
  fs::create_symlink("../secret", path("model/leak"));
  fs::create_directory_symlink("..", path("model/up"));
  fs::create_symlink("a.bin", path("model/inside"));
  for (const char* fine : {"a.bin", "textures/b.png", "inside", "textures/../a.bin"})
    EXPECT_TRUE(readFileBelow(path("model"), fine)) << fine;
  for (const char* outside : {"leak", "up/secret", "../secret", "textures/../../secret"}) {
    const auto bytes = readFileBelow(path("model"), outside);
    ASSERT_FALSE(bytes) << outside;
    EXPECT_EQ(bytes.error().code, ErrorCode::UnsafeReference) << outside;
  }
  EXPECT_EQ(readFileBelow(path("model"), path("secret")).error().code, ErrorCode::UnsafeReference);
  EXPECT_EQ(readFileBelow(path("model"), "missing").error().code, ErrorCode::FileNotFound);
  EXPECT_EQ(readFileBelow(path("nowhere"), "a").error().code, ErrorCode::FileNotFound);
  EXPECT_FALSE(readFileBelow("", "CMakeLists.txt")) << "no folder, nothing to read";
}

} // namespace
} // namespace skincells
