// Replays the finds of the fuzzers: every file in tests/data/fuzz/glb, ply and skc.
#include <gtest/gtest.h>

#include "fuzz/targets.h"
#include "support/files.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

void replay(const std::string& kind, bool (*target)(std::span<const std::uint8_t>)) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(sourceFolder() / "tests/data/fuzz" / kind)) {
    SCOPED_TRACE(entry.path().filename().string());
    EXPECT_TRUE(target(readBytes(entry.path())));
    ++count;
  }
  EXPECT_GT(count, 0);
}

TEST(FuzzReplay, Glb) {
  replay("glb", fuzz::readGlb);
}

TEST(FuzzReplay, Ply) {
  replay("ply", fuzz::readPly);
}

TEST(FuzzReplay, Field) {
  replay("skc", fuzz::readField);
}

} // namespace
} // namespace skincells::test
