// Replays the finds of the fuzzers: every file in tests/data/fuzz/glb, ply, skc and soup.
#include <gtest/gtest.h>

#include "base/random.h"
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

TEST(FuzzReplay, Soup) {
  replay("soup", fuzz::bindSoup);
}

TEST(FuzzReplay, Field) {
  replay("skc", fuzz::readField);
}

// What the campaigns start from.
std::string seed(const std::string& name) {
  return readText(sourceFolder() / "fuzz/seeds" / name);
}

// A text with some bytes changed, many times.
void expectHoldsUnderDamage(const std::string& text, bool (*target)(std::span<const std::uint8_t>),
                            std::uint64_t rounds = 2000) {
  for (std::uint64_t round = 0; round < rounds; ++round) {
    Random random(7, round);
    std::vector<std::uint8_t> bytes(text.begin(), text.end());
    for (std::uint32_t i = random.below(4); i > 0; --i)
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] = static_cast<std::uint8_t>(random.nextBits());
    bytes.resize(bytes.size() - random.below(static_cast<std::uint32_t>(bytes.size()) / 4));
    ASSERT_TRUE(target(bytes)) << "round " << round;
  }
}

TEST(FuzzShort, Ranges) {
  expectHoldsUnderDamage(seed("ranges.json"), fuzz::readRanges);
}

TEST(FuzzShort, JointLists) {
  expectHoldsUnderDamage(seed("joints.txt"), fuzz::readJointList);
}

TEST(FuzzShort, Poses) {
  expectHoldsUnderDamage(seed("poses.json"), fuzz::readPoses);
}

TEST(FuzzShort, Options) {
  expectHoldsUnderDamage(seed("options.json"), fuzz::readOptions);
}

TEST(FuzzShort, Gltf) {
  expectHoldsUnderDamage(seed("triangle.gltf"), fuzz::readGlb);
}

TEST(FuzzShort, Imports) {
  expectHoldsUnderDamage(seed("panel.obj"), fuzz::readObj, 20);
  expectHoldsUnderDamage(seed("bone.fbx"), fuzz::readFbx, 20);
}

TEST(FuzzShort, RandomSoupsBindSoundly) {
  for (std::uint64_t round = 0; round < 150; ++round) {
    Random random(11, round);
    std::vector<std::uint8_t> bytes(30 + random.below(700));
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random.nextBits());
    bytes[0] = static_cast<std::uint8_t>(round);
    if (round % 4 != 0) // three in four in one scale
      for (std::size_t i = 4; i < bytes.size(); ++i) bytes[i] &= 63U;
    ASSERT_TRUE(fuzz::bindSoup(bytes)) << "round " << round;
  }
}

} // namespace
} // namespace skincells::test
