// The commands that make pictures and pages: render, report, view.
#include <filesystem>

#include "cli_test.h"
#include "skincells/viz/viewer_page.h"

namespace skincells::test {
namespace {

namespace fs = std::filesystem;

using View = CliTest;

TEST_F(View, AnExistingOutputIsReplacedByForceOnly) {
  for (const auto& words : {std::vector<std::string>{"render", path("in.glb"), "--size", "32"},
                            {"report", path("in.glb")},
                            {"view", path("in.glb"), "--no-open"}}) {
    if (words[0] == "view" && !hasViewer()) continue;
    const std::string output = path(words[0] == "render" ? "o.png" : words[0] + ".html");
    std::vector<std::string> all = words;
    all.insert(all.end(), {"-o", output});
    writeText(output, "old");
    const ProgramResult refused = run(all);
    EXPECT_EQ(refused.code, 4) << words[0];
    EXPECT_NE(refused.err.find("--force"), std::string::npos) << refused.err;
    EXPECT_EQ(readText(output), "old");
    all.push_back("--force");
    EXPECT_EQ(run(all).code, 0) << words[0];
    EXPECT_NE(readText(output), "old");
  }
}

TEST_F(View, RandomPosesStayWithinTheRangesOfMotion) {
  const auto sheet = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> words{"render", path("in.glb"), "-o", path(name), "--poses",
                                   "random", "--count",      "1",  "--size",   "48"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 0) << r.err;
    return readText(path(name));
  };
  writeText(path("stiff.json"), R"({"joints": {"*": {"swing": 0, "twist": 0}}})");
  const std::string stiff = sheet("stiff.png", {"--rom", path("stiff.json")});
  EXPECT_EQ(stiff, sheet("still.png", {"--angle", "0"}));
  EXPECT_NE(stiff, sheet("auto.png", {}));
  EXPECT_EQ(sheet("generic.png", {"--rom", "generic"}), readText(path("auto.png"))) << "no names, no clips: one cone";
  EXPECT_EQ(run({"render", path("in.glb"), "-o", path("no.png"), "--rom", path("none.json")}).code, 2);
}

TEST_F(View, ReportShowsHowTheSkinWasBound) {
  ASSERT_EQ(run(bindWords({"--json-file", path("bind.json"), "--quality", "draft"})).code, 0);
  const auto page = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"report", path("out.glb"), "-o", path("page.html"), "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 0) << r.err;
    return readText(path("page.html"));
  };
  const std::string with = page({"--bind-json", path("bind.json")}), without = page({});
  for (const char* wanted : {"--quality", ">draft<", "Ranges of motion", ">Loss<", ">total<"}) {
    EXPECT_NE(with.find(wanted), std::string::npos) << wanted;
    EXPECT_EQ(without.find(wanted), std::string::npos) << wanted;
  }
}

TEST_F(View, ReportRefusesTheReportOfSomethingElse) {
  const auto error = [&](const std::string& text) {
    writeText(path("wrong.json"), text);
    const ProgramResult r = run({"report", path("in.glb"), "-o", path("p.html"), "--bind-json", path("wrong.json")});
    EXPECT_EQ(r.code, 2) << text;
    EXPECT_FALSE(fs::exists(path("p.html")));
    return r.err;
  };
  EXPECT_NE(error("{ no json").find("bind --json-file"), std::string::npos);
  EXPECT_NE(error(R"({"tool": "skincells", "command": "check"})").find("bind --json-file"), std::string::npos);
  EXPECT_NE(error(R"({"tool": "skincells", "command": "bind", "joints": [{"name": "tail"}]})").find("'tail'"),
            std::string::npos);
  EXPECT_NE(error(R"({"tool": "skincells", "command": "bind", "joints": 7})").find("joint"), std::string::npos);
  EXPECT_NE(error(R"({"tool": "skincells", "command": "bind"})").find("joint0"), std::string::npos);
}

TEST_F(View, ShowsTheFieldThatIsGivenFoundOrEmbedded) {
  if (!hasViewer()) GTEST_SKIP() << "this build has no page";
  ASSERT_EQ(run(bindWords({"--field", path("out.skc"), "--quality", "draft"})).code, 0);
  const auto hasCells = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all{"view", "-o", path("v.html"), "--no-open", "--force"};
    all.insert(all.end(), words.begin(), words.end());
    const ProgramResult r = run(all);
    EXPECT_EQ(r.code, 0) << r.err;
    return readText(path("v.html")).find("\"siteCount\"") != std::string::npos;
  };
  EXPECT_TRUE(hasCells({path("out.glb")})) << "beside it";
  EXPECT_FALSE(hasCells({path("in.glb")}));
  EXPECT_TRUE(hasCells({path("in.glb"), "--from-field", path("out.skc")}));
  fs::remove(path("out.skc"));
  EXPECT_FALSE(hasCells({path("out.glb")}));
  ASSERT_EQ(run(bindWords({"--embed-field", "--quality", "draft", "--force"})).code, 0);
  EXPECT_TRUE(hasCells({path("out.glb")}));
  EXPECT_EQ(run({"view", path("in.glb"), "-o", path("no.html"), "--from-field", path("in.glb")}).code, 2)
      << "holds none";
  EXPECT_EQ(run({"view", path("in.glb"), "-o", path("no.html"), "--from-field", "a", "--from-field", "b"}).code, 1)
      << "too many";
}

TEST_F(View, SaysSoWithoutTheViewer) {
  if (hasViewer()) GTEST_SKIP() << "this build has the page";
  const ProgramResult r = run({"view", path("in.glb"), "-o", path("v.html")});
  EXPECT_EQ(r.code, 3);
  EXPECT_NE(r.err.find("skincells render"), std::string::npos) << r.err;
  EXPECT_FALSE(fs::exists(path("v.html")));
}

} // namespace
} // namespace skincells::test
