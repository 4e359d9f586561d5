// What the commands print and write.
#include <algorithm>

#include "cli/cli_test.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

using Output = CliTest;

TEST_F(Output, InspectPrintsAPlainSummary) {
  const ProgramResult r = run({"inspect", path("in.glb")});
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* word : {"56 vertices", "4 joints", "triangles", "island", "joint3", "no problems found", "in.glb"})
    EXPECT_NE(r.out.find(word), std::string::npos) << word << " is missing in\n" << r.out;
  const ProgramResult bare = run({"inspect", path("bare.glb")});
  EXPECT_NE(bare.out.find("node tree 'joint0'"), std::string::npos) << bare.out;
}

TEST_F(Output, JsonIsOneDocument) {
  EXPECT_EQ(run(bindWords()).code, 0);
  const std::vector<std::vector<std::string>> commands{
      {"inspect", path("in.glb")}, {"inspect", path("bare.glb")},
      {"check", path("in.glb")},   {"compare", path("in.glb"), path("out.glb"), path("in.glb")},
      bindWords({"--force"}),      {"bind", path("bare.glb"), "-o", path("bare out.gltf")}};
  for (auto words : commands) {
    words.push_back("--json");
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.err, "");
    EXPECT_EQ(documentIn(r.out).value("command", ""), words[0]);
  }
}

TEST_F(Output, PicturesAndPagesHaveJson) {
  const std::vector<std::vector<std::string>> commands{{"render", path("in.glb"), "-o", path("o.png"), "--size", "64"},
                                                       {"report", path("in.glb"), "-o", path("o.html")},
                                                       {"view", path("in.glb"), "-o", path("v.html")}};
  for (auto words : commands) {
    words.push_back("--json");
    const ProgramResult r = run(words);
    if (words[0] == "view" && r.code == 3) continue; // built without the viewer
    EXPECT_EQ(r.code, 0) << r.err;
    const auto document = documentIn(r.out);
    EXPECT_EQ(document["command"], words[0]);
    EXPECT_EQ(document["output"], words[3]);
  }
}

// Equal names in two folders are told apart, and labels can be given.
TEST_F(Output, SkinsOnPagesHaveTheirNames) {
  for (const char* folder : {"artist", "ours"}) {
    fs::create_directory(path(folder));
    fs::copy_file(path("in.glb"), path(folder) + "/hero.glb");
  }
  const std::string a = path("artist") + "/hero.glb", b = path("ours") + "/hero.glb";
  const auto page = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"report", a, b, "-o", path("p.html"), "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 0) << r.err;
    return readText(path("p.html"));
  };
  const std::string plain = page({}), named = page({"--labels", "before,after"});
  for (const char* name : {"artist/hero", "ours/hero"}) EXPECT_NE(plain.find(name), std::string::npos) << name;
  for (const char* name : {"1: before", "2: after"}) EXPECT_NE(named.find(name), std::string::npos) << name;
  EXPECT_EQ(run({"report", a, b, "-o", path("p.html"), "--force", "--labels", "one"}).code, 1);
}

TEST_F(Output, JsonOfErrors) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"inspect", path("missing.glb")}, "file_not_found"},
      {{"check", path("garbage.glb")}, "invalid_file"},
      {{"bind", path("in.glb"), "-o", path("in.glb")}, "cannot_write"},
      {{"compare", path("in.glb"), path("bare.glb")}, "mismatch"},
  };
  for (auto [words, code] : cases) {
    words.push_back("--json");
    const ProgramResult r = run(words);
    EXPECT_NE(r.code, 0);
    const auto document = documentIn(r.out);
    EXPECT_EQ(document["error"]["code"], code);
    EXPECT_FALSE(document["error"]["where"].get<std::string>().empty());
  }
  // A failed gate is not an error: the document is the check's.
  const ProgramResult r = run({"check", path("bare.glb"), "--json"});
  EXPECT_EQ(r.code, 5);
  EXPECT_EQ(documentIn(r.out)["passed"], false);
}

TEST_F(Output, PagesAndPicturesAreWritten) {
  const ProgramResult bound = run(bindWords({"--report-page", path("page.html")}));
  EXPECT_EQ(bound.code, 0) << bound.err;
  const std::string page = readText(path("page.html"));
  EXPECT_TRUE(page.starts_with("<!")) << page.substr(0, 80);
  EXPECT_NE(page.find("data:image/png;base64,"), std::string::npos);
  for (const char* outside : {"http://", "https://", "<script", "<link"})
    EXPECT_EQ(page.find(outside), std::string::npos)
        << "the page must not refer to anything outside itself: " << outside;
  for (const char* color : {"material", "joints", "stretch", "influences"}) {
    const ProgramResult r =
        run({"render", path("out.glb"), "-o", path("sheet.png"), "--color", color, "--size", "64", "--force"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(readText(path("sheet.png")).starts_with("\x89PNG")) << color;
  }
  EXPECT_EQ(run({"render", path("out.glb"), path("in.glb"), "-o", path("two.png"), "--size", "64"}).code, 0);
  EXPECT_EQ(run({"render", path("bare.glb"), "-o", path("no.png")}).code, 2) << "nothing to pose it with";
  EXPECT_EQ(run({"render", path("out.glb"), "-o", path("no.png"), "--views", "below"}).code, 1);
  EXPECT_EQ(run({"render", path("out.glb"), "-o", path("no.png"), "--color", "weights", "--joint", "tail"}).code, 1);
  EXPECT_FALSE(fs::exists(path("no.png")));
}

TEST_F(Output, QuietPrintsNothing) {
  for (const auto& words :
       {bindWords({"--quiet"}), {"inspect", path("in.glb"), "--quiet"}, {"check", path("bare.glb"), "--quiet"}}) {
    const ProgramResult r = run(words);
    EXPECT_EQ(r.out + r.err, "");
  }
  EXPECT_NE(run({"inspect", path("missing.glb"), "--quiet"}).err, ""); // but for errors
}

TEST_F(Output, QuietKeepsWarningsAndSilentDropsThem) {
  const ProgramResult quiet = run(bindWords({"--time-limit", "0.000001", "--quiet"}));
  EXPECT_EQ(quiet.out, "");
  EXPECT_EQ(quiet.err.rfind("warning: --time-limit: ", 0), 0U) << quiet.err;
  EXPECT_EQ(std::count(quiet.err.begin(), quiet.err.end(), '\n'), 1);
  const ProgramResult silent = run(bindWords({"--time-limit", "0.000001", "--force", "--silent"}));
  EXPECT_EQ(silent.out + silent.err, "");
  EXPECT_EQ(silent.code, quiet.code);
  EXPECT_NE(run({"inspect", path("missing.glb"), "--silent"}).err, ""); // but for errors
}

TEST_F(Output, ReportIsTheJsonDocument) {
  for (const auto& words : std::vector<std::vector<std::string>>{bindWords(),
                                                                 {"inspect", path("in.glb")},
                                                                 {"check", path("bare.glb")},
                                                                 {"compare", path("in.glb"), path("in.glb")}}) {
    auto with_report = words;
    with_report.insert(with_report.end(), {"--json-file", path("report.json"), "--force"});
    const ProgramResult r = run(with_report);
    EXPECT_TRUE(r.code == 0 || words[0] == "check") << r.err;
    EXPECT_EQ(documentIn(readText(path("report.json"))).value("command", ""), words[0]);
    EXPECT_NE(r.out.find(".glb"), std::string::npos); // the text is printed all the same
  }
}

TEST_F(Output, ProgressGoesToStderr) {
  const ProgramResult r = run(bindWords());
  EXPECT_EQ(r.code, 0);
  EXPECT_NE(r.err.find("%"), std::string::npos);
  EXPECT_EQ(r.out.find("\033"), std::string::npos);
  EXPECT_EQ(r.err.find("\033"), std::string::npos); // plain lines where there is no terminal
}

TEST_F(Output, ProgressShowsLossAndTimeLeft) {
  const ProgramResult r = run(bindWords());
  const std::size_t losses = r.err.find("% losses, loss ");
  ASSERT_NE(losses, std::string::npos) << r.err;
  const std::string line = r.err.substr(losses, r.err.find('\n', losses) - losses);
  EXPECT_NE(line.find(" s left"), std::string::npos) << line;
  EXPECT_LT(std::count(r.err.begin(), r.err.end(), '\n'), 30); // lines, not a flood
  EXPECT_EQ(run(bindWords({"--force", "--quiet"})).err, "");
}

TEST_F(Output, ReportListsOptionsAndLossCurves) {
  const ProgramResult r = run(bindWords({"--quality", "draft", "--json"}));
  ASSERT_EQ(r.code, 0) << r.err;
  const auto document = documentIn(r.out);
  EXPECT_EQ(document["options"]["quality"], "draft");
  EXPECT_EQ(document["options"]["guard"], true);
  ASSERT_EQ(document["loss_curves"].size(), 3U);
  for (const char* stage : {"fit", "losses", "refit"})
    EXPECT_GT(document["loss_curves"][stage]["loss"].size(), 5U) << stage;
  EXPECT_FALSE(document["loss_curves"]["losses"]["stop_reason"].get<std::string>().empty());
  EXPECT_GE(document["loss_curves"]["losses"]["held_out"].size(), 2U);
  EXPECT_EQ(document["guard"]["result"], "result");
  EXPECT_GT(document["guard"]["start_stretch_rms"], 0.0);
  EXPECT_EQ(document["guard"]["findings"].size(), 1U);
  EXPECT_TRUE(document["has_field"]);
}

TEST_F(Output, OtherMethodsHaveNoField) {
  const auto document = documentIn(run(bindWords({"--method", "heat", "--json"})).out);
  EXPECT_FALSE(document["has_field"]);
  EXPECT_EQ(document["loss_curves"].size(), 0U);
}

TEST_F(Output, ThreadsDoNotChangeTheResult) {
  for (const char* extension : {".glb", ".gltf"}) {
    std::vector<std::vector<std::uint8_t>> outputs;
    for (const char* threads : {"1", "2", "8"}) {
      const std::string folder = path(std::string("t") + threads);
      fs::create_directories(folder);
      const ProgramResult r = run({"bind", path("bare.glb"), "-o", folder + "/out" + extension, "--threads", threads});
      EXPECT_EQ(r.code, 0) << r.err;
      outputs.push_back(readBytes(folder + "/out" + extension));
      EXPECT_FALSE(outputs.back().empty());
    }
    EXPECT_EQ(outputs[0], outputs[1]);
    EXPECT_EQ(outputs[0], outputs[2]);
  }
}

TEST_F(Output, ComparesAFileWithItself) {
  const ProgramResult r = run({"compare", path("in.glb"), path("in.glb"), "--json"});
  const auto document = documentIn(r.out);
  EXPECT_EQ(document["others"][0]["half_l1"], 0.0);
  EXPECT_EQ(document["others"][0]["sets"][0]["rms_percent"], 0.0);
  EXPECT_EQ(document["others"][0]["sets"][0]["poses"], 20);
}

TEST_F(Output, BindHonorsItsOptions) {
  ASSERT_EQ(run(bindWords({"--max-influences", "2", "--quantize", "u8", "--joints", "all"})).code, 0);
  const auto document = documentIn(run({"inspect", path("out.glb"), "--json"}).out);
  EXPECT_EQ(document["weights"]["max_influences"], 2);
  EXPECT_EQ(document["skeleton"]["weighted_joints"], 4);
  writeText(path("joints.txt"), "joint1\njoint2\n");
  ASSERT_EQ(run(bindWords({"--force", "--joints", path("joints.txt")})).code, 0);
  EXPECT_EQ(documentIn(run({"inspect", path("out.glb"), "--json"}).out)["skeleton"]["weighted_joints"], 2);
}

TEST_F(Output, SingleJointsAreOverridden) {
  const ProgramResult r = run(bindWords({"--drop-joints", "joint1,joint2", "--joints", "all", "--json"}));
  EXPECT_EQ(r.code, 0) << r.err;
  const auto document = documentIn(r.out);
  EXPECT_EQ(document["joints"][1]["rule"], "user");
  EXPECT_EQ(document["joints"][1]["deforms"], false);
  EXPECT_EQ(document["joints"][1]["led"], 0);
  EXPECT_EQ(document["options"]["drop-joints"], "joint1,joint2");
  const ProgramResult unknown = run(bindWords({"--force", "--keep-joints", "tail"}));
  EXPECT_EQ(unknown.code, 1);
  EXPECT_NE(unknown.err.find("--keep-joints: 'tail' matches no joint"), std::string::npos) << unknown.err;
}

TEST_F(Output, BindReportsWhatJointsAndPartsDo) {
  const auto document = documentIn(run(bindWords({"--json"})).out);
  std::uint32_t led = 0;
  for (const auto& joint : document["joints"]) {
    led += joint["led"].get<std::uint32_t>();
    EXPECT_LE(joint["led"], joint["vertices"]);
    EXPECT_EQ(joint["extent_percent"] > 0.0, joint["vertices"] > 0);
  }
  EXPECT_EQ(led, document["input"]["vertices"]);
  std::uint32_t counted = 0;
  for (const auto& count : document["coverage"]["vertices_by_influences"]) counted += count.get<std::uint32_t>();
  EXPECT_EQ(counted, document["input"]["vertices"]);
  EXPECT_EQ(document["connected_parts"]["count"], 1);
  EXPECT_EQ(document["connected_parts"]["list"][0]["vertices"], document["input"]["vertices"]);
  EXPECT_EQ(document["coverage"]["joints_without_weight"].size(), 0U);
}

TEST_F(Output, OverviewShowsTwoSkinsInManyPoses) {
  ASSERT_EQ(run(bindWords()).code, 0);
  const ProgramResult r =
      run({"render", path("in.glb"), path("out.glb"), "-o", path("o.png"), "--poses", "overview", "--count", "2",
           "--size", "64", "--views", "front", "--title", "two skins", "--labels", "file,ours"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(fs::exists(path("o.png")));
  EXPECT_EQ(run({"render", path("in.glb"), "-o", path("one.png"), "--poses", "overview", "--size", "64"}).code, 0);
  const ProgramResult wrong = run({"render", path("in.glb"), path("out.glb"), "-o", path("x.png"), "--labels", "one"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.err.find("--labels"), std::string::npos) << wrong.err;
}

TEST_F(Output, BindReportsWhereRangesOfMotionCameFrom) {
  writeText(path("rom.json"), R"({"joints": {"joint1": {"swing": [-5, 70], "axis": [0, 0, 1], "twist": 3}}})");
  const ProgramResult r = run(bindWords({"--rom", path("rom.json"), "--json"}));
  ASSERT_EQ(r.code, 0) << r.err;
  const auto document = documentIn(r.out);
  EXPECT_EQ(document["poses"], "ranges");
  EXPECT_EQ(document["options"]["rom"], path("rom.json"));
  const auto range = document["joints"][1]["range"];
  EXPECT_EQ(range["source"], "rom-file");
  EXPECT_EQ(range["detail"], "joint1");
  EXPECT_EQ(range["swing_degrees"], (nlohmann::json{-5.0, 70.0}));
  EXPECT_EQ(range["twist_degrees"], (nlohmann::json{-3.0, 3.0}));
  EXPECT_EQ(range["axis"], (nlohmann::json{0.0, 0.0, 1.0}));
  EXPECT_EQ(document["joints"][0]["range"]["source"], "generic");
  EXPECT_FALSE(document["joints"][0]["range"].contains("axis"));
  // Other methods use no poses.
  const auto heat = documentIn(run(bindWords({"--method", "heat", "--force", "--json"})).out);
  EXPECT_FALSE(heat["joints"][0].contains("range"));
  EXPECT_FALSE(heat.contains("poses"));
}

TEST_F(Output, BadRangesOfMotionWriteNothing) {
  const auto expectError = [this](const std::string& rom, int code, const std::string& words) {
    const ProgramResult r = run(bindWords({"--rom", rom, "--quiet"}));
    EXPECT_EQ(r.code, code) << rom;
    EXPECT_NE(r.err.find(words), std::string::npos) << r.err;
    EXPECT_FALSE(fs::exists(path("out.glb")));
  };
  expectError(path("none.json"), 2, "auto, clips, humanoid, generic");
  writeText(path("rom.json"), "");
  expectError(path("rom.json"), 2, "empty");
  writeText(path("rom.json"), R"({"joints": {"joint9": {"swing": 3}}})");
  expectError(path("rom.json"), 2, "rom.json#/joints/joint9: 'joint9' matches no joint; correct or remove it; close");
  writeText(path("rom.json"), R"({"joints": {"joint1": {"twist": [9, 3]}}})");
  expectError(path("rom.json"), 2, "rom.json#/joints/joint1/twist: is reversed");
}

TEST_F(Output, PosesOfClipsNeedClips) {
  const ProgramResult r = run(bindWords({"--training-poses", "clips"}));
  EXPECT_EQ(r.code, 1);
  EXPECT_NE(r.err.find("--training-poses: the character has no clips"), std::string::npos) << r.err;
  EXPECT_EQ(run(bindWords({"--training-poses", "dances"})).code, 1);
}

TEST_F(Output, BindsWithTheRigOfAnotherFile) {
  const ProgramResult r = run({"bind", path("bare.glb"), "-o", path("out.glb"), "--rig", path("in.glb")});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(run({"check", path("out.glb")}).code, 0);
}

} // namespace
} // namespace skincells::test
