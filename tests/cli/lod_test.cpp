// The command `lod`.
#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "cli/cli_test.h"
#include "skincells/io/character_file.h"
#include "support/gltf_builder.h"
#include "support/validator.h"

namespace skincells::test {
namespace {

using LodCommand = CliTest;

Result<CharacterFile> readLevel(const std::string& path, int level) {
  ReadOptions options;
  options.level = level;
  return CharacterFile::read(path, options);
}

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

TEST_F(LodCommand, WritesAllLevelsIntoOneFile) {
  for (const std::string extension : {".glb", ".gltf"}) {
    const std::string out = path("all" + extension);
    const ProgramResult r =
        run({"lod", path("in.glb"), "-o", out, "--levels", "1,0.6,0.4", "--influences", "4,2,1", "--joints-per-level",
             "0,0,2", "--quality", "draft", "--joints", "all", "--single-file", "--json"});
    ASSERT_EQ(r.code, 0) << r.err;
    const auto document = documentIn(r.out);
    EXPECT_EQ(document["levels"][0]["screen_coverage"], 0.6);
    EXPECT_EQ(document["levels"][2]["screen_coverage"], 0.0);
    EXPECT_FALSE(std::filesystem::exists(path("all_lod1" + extension)));
    const ProgramResult inspected = run({"inspect", out, "--json"});
    EXPECT_EQ(documentIn(inspected.out)["file"]["levels"], 3);
    EXPECT_EQ(documentIn(inspected.out)["mesh"]["triangles"], document["input"]["triangles"]);
    EXPECT_EQ(run({"check", out}).code, 0);
    for (int l = 0; l < 3; ++l) {
      const auto file = readLevel(out, l);
      ASSERT_TRUE(file.has_value()) << file.error().text();
      const auto level = document["levels"][static_cast<std::size_t>(l)];
      EXPECT_EQ(file->character().mesh.triangles.size(), level["triangles"]);
      EXPECT_EQ(file->character().mesh.vertexCount(), level["vertices"]);
      EXPECT_EQ(file->character().weights.vertexCount(), level["vertices"]);
      EXPECT_EQ(file->character().skeleton.jointCount(), document["input"]["joints"]);
      const auto statistics = weightStatistics(file->character().weights, file->character().skeleton.jointCount());
      EXPECT_LE(statistics.max_influences, level["max_influences"]);
    }
    if (!hasValidator()) continue;
    EXPECT_EQ(newIssues({{path("in.glb"), out}})[0], "");
  }
}

TEST_F(LodCommand, LevelsThatAreNotThereAreRefused) {
  ASSERT_EQ(run({"lod", path("in.glb"), "-o", path("all.glb"), "--levels", "1,0.5", "--quality", "draft",
                 "--single-file", "--quiet"})
                .code,
            0);
  const ProgramResult beyond = run({"inspect", path("all.glb"), "--level", "2"});
  EXPECT_EQ(beyond.code, 1);
  EXPECT_NE(beyond.err.find("has levels 0 to 1"), std::string::npos) << beyond.err;
  const ProgramResult none = run({"inspect", path("in.glb"), "--level", "1"});
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.err.find("no levels of detail"), std::string::npos) << none.err;
}

// Levels of a file with levels are made from the one that was read, and nothing of the old ones stays.
TEST_F(LodCommand, NewLevelsTakeThePlaceOfOldOnes) {
  const std::vector<std::string> options{"--levels", "1,0.6,0.4", "--quality", "draft",        "--joints",
                                         "all",      "--quiet",   "--force",   "--single-file"};
  const auto lod = [&](const std::string& in, const std::string& out, std::vector<std::string> more) {
    std::vector<std::string> words{"lod", path(in), "-o", path(out)};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  ASSERT_EQ(lod("in.glb", "first.glb", {}).code, 0);
  const ProgramResult r = lod("first.glb", "second.glb", {});
  ASSERT_EQ(r.code, 0) << r.err;
  for (int l = 0; l < 3; ++l) {
    const auto first = readLevel(path("first.glb"), l), second = readLevel(path("second.glb"), l);
    ASSERT_TRUE(first.has_value() && second.has_value());
    EXPECT_EQ(first->info().level_count, second->info().level_count);
    EXPECT_EQ(first->character().mesh.positions, second->character().mesh.positions);
    EXPECT_EQ(first->character().mesh.triangles, second->character().mesh.triangles);
  }
  // What is left of accessors that are gone takes a few bytes of JSON.
  EXPECT_LT(std::filesystem::file_size(path("second.glb")), std::filesystem::file_size(path("first.glb")) + 3000);
  // A coarser level as the first one of a new chain.
  ASSERT_EQ(lod("first.glb", "third.glb", {"--level", "1"}).code, 0);
  const auto coarse = readLevel(path("first.glb"), 1), third = readLevel(path("third.glb"), 0);
  ASSERT_TRUE(third.has_value()) << third.error().text();
  EXPECT_EQ(third->character().mesh.positions, coarse->character().mesh.positions);
  if (!hasValidator()) return;
  EXPECT_EQ(newIssues({{path("in.glb"), path("second.glb")}, {path("in.glb"), path("third.glb")}}),
            (std::vector<std::string>{"", ""}));
}

// The level that was read is written; the others keep their weights.
TEST_F(LodCommand, OneLevelOfAFileCanBeBoundAgain) {
  ASSERT_EQ(run({"lod", path("in.glb"), "-o", path("all.glb"), "--levels", "1,0.5", "--quality", "draft",
                 "--single-file", "--quiet"})
                .code,
            0);
  ASSERT_EQ(run({"bind", path("all.glb"), "-o", path("bound.glb"), "--level", "1", "--method", "proximity",
                 "--max-influences", "1", "--quiet"})
                .code,
            0);
  const auto weights = [&](const char* name, int level) {
    const auto file = readLevel(path(name), level);
    return file ? file->character().weights.weights : std::vector<float>{};
  };
  EXPECT_EQ(weights("bound.glb", 0), weights("all.glb", 0));
  EXPECT_NE(weights("bound.glb", 1), weights("all.glb", 1));
}

// What a viewer gets shows the level that was read, also where the viewer does not know about levels.
TEST_F(LodCommand, AFileInMemoryShowsTheLevel) {
  ASSERT_EQ(run({"lod", path("in.glb"), "-o", path("all.glb"), "--levels", "1,0.5", "--quality", "draft",
                 "--single-file", "--quiet"})
                .code,
            0);
  const auto coarse = readLevel(path("all.glb"), 1);
  ASSERT_TRUE(coarse.has_value());
  const auto bytes = coarse->encodeGlb();
  ASSERT_TRUE(bytes.has_value());
  const auto shown = CharacterFile::readGlb(*bytes, "shown.glb");
  ASSERT_TRUE(shown.has_value());
  EXPECT_EQ(shown->character().mesh.positions, coarse->character().mesh.positions);
  EXPECT_EQ(shown->character().weights.weights, coarse->character().weights.weights);
}

TEST_F(LodCommand, LevelsThatAreNoNodesAreRefused) {
  ASSERT_EQ(run({"lod", path("in.glb"), "-o", path("all.gltf"), "--levels", "1,0.5", "--quality", "draft",
                 "--single-file", "--quiet"})
                .code,
            0);
  auto json = nlohmann::ordered_json::parse(readText(path("all.gltf")));
  for (auto& node : json["nodes"])
    if (node.contains("extensions")) node["extensions"]["MSFT_lod"]["ids"][0] = 999;
  writeText(path("all.gltf"), json.dump());
  const ProgramResult r = run({"inspect", path("all.gltf")});
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("MSFT_lod/ids/0"), std::string::npos) << r.err;
}

// A level from a field file is the level of the bind that made it.
TEST_F(LodCommand, TakesAField) {
  ASSERT_EQ(run(bindWords({"--quality", "draft", "--joints", "all", "--field", path("tube.skc"), "--quiet"})).code, 0);
  const std::vector<std::string> levels{"--levels", "0.5", "--influences", "4", "--quiet"};
  std::vector<std::string> a{"lod", path("in.glb"), "-o", path("a.glb"), "--quality", "draft", "--joints", "all"};
  std::vector<std::string> b{"lod", path("in.glb"), "-o", path("b.glb"), "--from-field", path("tube.skc")};
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

TEST_F(LodCommand, RefusesInvalidLists) {
  const auto before = names();
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--levels", "0.5,1"}, "must not increase"},
      {{"--levels", "1,zero"}, "zero"},
      {{"--levels", "0"}, "above 0"},
      {{"--levels", "1", "--influences", "9"}, "9"},
      {{"--levels", "1", "--influences", "4,4"}, "more numbers"},
      {{"--joints-per-level", "-1"}, "-1"},
      {{"--screen-coverage", "1,0.5,0.2,0"}, "--single-file"},
      {{"--single-file", "--screen-coverage", "1,0.5"}, "one number for each level"},
      {{"--single-file", "--screen-coverage", "0.5,0.5,0.2,0"}, "must decrease"},
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
