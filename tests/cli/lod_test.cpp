// The command `lod`.
#include "cli/cli_test.h"
#include "skincells/character_file.h"
#include "support/gltf_builder.h"
#include "support/validator.h"

namespace skincells::test {
namespace {

using LodCommand = CliTest;

TEST_F(LodCommand, WritesSoundLevels) {
  const ProgramResult r =
      run({"lod", path("in.glb"), "-o", path("out.glb"), "--levels", "1,0.6,0.4", "--influences", "4,2,1",
           "--joints-per-level", "0,0,2", "--quality", "draft", "--joints", "all", "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  const auto document = documentIn(r.out);
  ASSERT_EQ(document["levels"].size(), 3U);
  const auto level = [&](std::size_t l) { return document["levels"][l]; };
  EXPECT_EQ(level(0)["posed"]["rms_percent"], 0.0);
  EXPECT_EQ(level(0)["triangles"], document["input"]["triangles"]);
  EXPECT_LT(level(1)["triangles"], level(0)["triangles"]);
  EXPECT_LT(level(2)["triangles"], level(1)["triangles"]);
  EXPECT_EQ(level(2)["joints"], 2);
  EXPECT_EQ(level(2)["merged_joints"].size(), 2U);
  const std::string files[] = {path("out.glb"), path("out_lod1.glb"), path("out_lod2.glb")};
  for (std::size_t l = 0; l < 3; ++l) {
    EXPECT_EQ(run({"check", files[l]}).code, 0) << files[l];
    const auto file = CharacterFile::read(files[l]);
    ASSERT_TRUE(file.has_value()) << file.error().text();
    EXPECT_EQ(file->character().mesh.triangles.size(), level(l)["triangles"]);
    EXPECT_EQ(file->character().mesh.vertexCount(), level(l)["vertices"]);
    if (!hasValidator()) continue;
    EXPECT_EQ(newIssues({{path("in.glb"), files[l]}})[0], "");
  }
}

// A level from a field file is the level of the bind that made it.
TEST_F(LodCommand, TakesAField) {
  ASSERT_EQ(run(bindWords({"--quality", "draft", "--joints", "all", "--field", path("tube.skc"), "--quiet"})).code, 0);
  const std::vector<std::string> levels{"--levels", "0.5", "--influences", "4", "--quiet"};
  std::vector<std::string> a{"lod", path("in.glb"), "-o", path("a.glb"), "--quality", "draft", "--joints", "all"};
  std::vector<std::string> b{"lod", path("in.glb"), "-o", path("b.glb"), "--field", path("tube.skc")};
  a.insert(a.end(), levels.begin(), levels.end());
  b.insert(b.end(), levels.begin(), levels.end());
  ASSERT_EQ(run(a).code, 0);
  ASSERT_EQ(run(b).code, 0);
  EXPECT_EQ(readBytes(path("a.glb")), readBytes(path("b.glb")));
}

TEST_F(LodCommand, ThreadsDoNotChangeTheResult) {
  for (const char* threads : {"1", "4"})
    ASSERT_EQ(run({"lod", path("in.glb"), "-o", path(std::string("t") + threads + ".glb"), "--levels", "1,0.5",
                   "--quality", "draft", "--threads", threads, "--quiet"})
                  .code,
              0);
  EXPECT_EQ(readBytes(path("t1_lod1.glb")), readBytes(path("t4_lod1.glb")));
}

TEST_F(LodCommand, WritesAllLevelsOrNone) {
  writeText(path("out_lod1.glb"), "old");
  const auto before = names();
  const ProgramResult r = run({"lod", path("in.glb"), "-o", path("out.glb"), "--levels", "1,0.5"});
  EXPECT_EQ(r.code, 4) << r.err;
  EXPECT_NE(r.err.find("out_lod1.glb"), std::string::npos) << r.err;
  EXPECT_EQ(names(), before);
  EXPECT_EQ(readText(path("out_lod1.glb")), "old");
}

TEST_F(LodCommand, RefusesListsThatMakeNoSense) {
  const auto before = names();
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--levels", "0.5,1"}, "fall"},
      {{"--levels", "1,zero"}, "zero"},
      {{"--levels", "0"}, "above 0"},
      {{"--levels", "1", "--influences", "9"}, "9"},
      {{"--levels", "1", "--influences", "4,4"}, "more numbers"},
      {{"--joints-per-level", "-1"}, "-1"},
  };
  for (const auto& [more, message] : cases) {
    std::vector<std::string> words{"lod", path("in.glb"), "-o", path("out.glb")};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_NE(r.err.find(message), std::string::npos) << r.err;
  }
  EXPECT_EQ(names(), before);
}

} // namespace
} // namespace skincells::test
