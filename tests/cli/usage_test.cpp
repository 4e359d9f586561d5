// Help, wrong command lines, exit codes.
#include <sstream>

#include "cli/cli_test.h"
#include "skincells/skincells.h"
#include "skincells/version.h"
#include "support/gltf_builder.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

const std::vector<std::string> kCommands{"apply", "bind", "check", "compare", "inspect", "transfer", "lod", "pose"};

template <class T> void expectListed(const std::string& help, const OptionTable<T>& table) {
  for (const auto& option : table) {
    const std::size_t at = help.find("\n  --" + option.name + " ");
    ASSERT_NE(at, std::string::npos) << option.name << " is missing in\n" << help;
    const std::size_t end = help.find("\n  -", at + 1);
    std::string entry = help.substr(at, end - at);
    // Lines are wrapped.
    std::string flat;
    for (char c : entry)
      if (!(c == '\n' || (c == ' ' && !flat.empty() && flat.back() == ' '))) flat += c;
    EXPECT_NE(flat.find("default: "), std::string::npos) << flat;
    if (option.kind != OptionKind::Flag) {
      EXPECT_NE(flat.find(option.range), std::string::npos) << option.range << " is missing in " << flat;
      EXPECT_NE(flat.find("default: " + (option.default_text.empty() ? "none" : option.default_text)),
                std::string::npos)
          << flat;
    }
  }
}

using Usage = CliTest;

TEST_F(Usage, HelpListsCommandsAndExitCodes) {
  const ProgramResult r = run({"--help"});
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.err, "");
  for (const std::string& command : kCommands) EXPECT_NE(r.out.find(command), std::string::npos) << command;
  EXPECT_NE(r.out.find("Exit codes"), std::string::npos);
}

TEST_F(Usage, HelpOfEachCommandGivesEveryOptionWithDefaultAndRange) {
  for (const std::string& command : kCommands) {
    SCOPED_TRACE(command);
    const ProgramResult r = run({command, "--help-all"});
    EXPECT_EQ(r.code, 0);
    EXPECT_EQ(r.err, "");
    for (const char* common : {"--json-file", "--json", "--quiet", "--threads", "[0 .. 1024", "Exit codes"})
      EXPECT_NE(r.out.find(common), std::string::npos) << common;
    if (command == "bind") expectListed(r.out, bindOptionTable());
    if (command == "bind") expectListed(r.out, writeOptionTable());
    if (command == "bind" || command == "inspect") expectListed(r.out, readOptionTable());
    if (command == "apply") expectListed(r.out, applyOptionTable());
    if (command == "transfer") expectListed(r.out, transferOptionTable());
    if (command == "bind" || command == "transfer") expectListed(r.out, fieldOutputOptionTable());
    if (command == "check") expectListed(r.out, checkOptionTable());
    if (command == "compare") expectListed(r.out, compareOptionTable());
    if (command == "lod") expectListed(r.out, lodOptionTable());
    if (command == "pose") expectListed(r.out, poseOptionTable());
  }
}

TEST_F(Usage, HelpIsAskedForInManyWays) {
  const ProgramResult program = run({});
  EXPECT_EQ(program.code, 0);
  for (const auto& words : std::vector<std::vector<std::string>>{{"help"}, {"--help"}, {"-h"}})
    EXPECT_EQ(run(words).out, program.out);
  const ProgramResult bind = run({"help", "bind"});
  EXPECT_EQ(bind.code, 0);
  EXPECT_EQ(run({"bind", "--help"}).out, bind.out);
  EXPECT_EQ(run({"bind", "-h", path("in.glb")}).out, bind.out);
  for (const char* expected : {"Examples:\n", "Files:\n", "Joints:\n", "Deformation:\n", "--help-all"})
    EXPECT_NE(bind.out.find(expected), std::string::npos) << expected;
  EXPECT_EQ(bind.out.find("--early-stop"), std::string::npos) << "for experts";
  EXPECT_NE(run({"help", "bind", "--help-all"}).out.find("--early-stop"), std::string::npos);
}

TEST_F(Usage, HelpFitsItsLines) {
  std::istringstream lines(run({"--help-all"}).out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST_F(Usage, EveryOptionHasItsGroup) {
  const std::string all = run({"--help-all"}).out;
  EXPECT_NE(all.find("Scripting:\n"), std::string::npos);
  EXPECT_EQ(all.find("Other:\n"), std::string::npos) << "an option is missing in the table of cli/help.cpp\n" << all;
}

TEST_F(Usage, CompletionsKnowOptionsAndTheirWords) { // tests/cli/completion_test.py runs them
  const std::string fish = run({"completion", "fish"}).out;
  EXPECT_NE(fish.find("-l stiffness -r -d "), std::string::npos);
  EXPECT_NE(fish.find("-f -a 'skin-cells heat proximity'"), std::string::npos);
  EXPECT_NE(run({"completion", "zsh"}).out.find("#compdef skincells"), std::string::npos);
}

TEST_F(Usage, Version) {
  const ProgramResult r = run({"--version"});
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.out, std::string("skincells ") + SKINCELLS_VERSION + "\n");
}

TEST_F(Usage, WrongCommandLinesEndWithOne) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"frobnicate"}, "there is no command 'frobnicate'"},
      {{"bnid"}, "did you mean 'bind'?"},
      {{"help", "veiw"}, "did you mean 'view'?"},
      {{"completion", "tcsh"}, "completion"},
      {bindWords({"--stifness", "2"}), "'bind' has no option '--stifness'; did you mean '--stiffness'?"},
      {bindWords({"--posed"}), "it is one of 'check'"},
      {{"inspect"}, "input"},
      {{"bind", path("in.glb")}, "--output"},
      {{"inspect", path("in.glb"), "--frobnicate"}, "--frobnicate"},
      {{"inspect", path("in.glb"), "extra.glb"}, "extra.glb"},
      {bindWords({"--max-influences", "9"}), "1 .. 8"},
      {bindWords({"--max-influences", "0"}), "1 .. 8"},
      {bindWords({"--max-influences", "four"}), "1 .. 8"},
      {bindWords({"--method", "magic"}), "proximity"},
      {bindWords({"--quality", "best"}), "draft | normal"},
      {bindWords({"--stiffness", "-1"}), "0.01 .. 100"},
      {bindWords({"--early-stop", "maybe"}), "true | false"},
      {bindWords({"--quantize", "u4"}), "auto | u8 | u16 | f32"},
      {bindWords({"--threads", "5000"}), "1024"},
      {bindWords({"--threads", "-1"}), "1024"},
      {{"compare", path("in.glb"), path("in.glb"), "--random-angle", "200"}, "0 .. 180"},
      {{"compare", path("in.glb"), path("in.glb"), "--fps", "nan"}, "0.1 .. 240"},
      {{"check", path("in.glb"), "--max-influences", "17"}, "1 .. 16"},
      {{"compare", path("in.glb"), path("in.glb"), "--random-poses", "0"}, "--random-poses"},
      {{"bind", path("in.glb"), "-o", path("out.obj")}, ".glb"},
      {{"bind", path("in.glb"), "-o", path("out.glb"), "--skeleton", "joint0"}, "--skeleton"},
  };
  const auto before = names();
  for (const auto& [words, message] : cases) {
    ProgramResult r = run(words);
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_EQ(r.out, "");
    EXPECT_NE(r.err.find(message), std::string::npos) << "no '" << message << "' in: " << r.err;
    auto with_json = words;
    with_json.push_back("--json");
    r = run(with_json);
    EXPECT_EQ(r.code, 1);
    EXPECT_EQ(documentIn(r.out).value("command", ""), "error") << r.out;
  }
  EXPECT_EQ(names(), before);
}

TEST_F(Usage, UnreadableInputEndsWithTwo) {
  for (const char* command : {"inspect", "check"})
    for (const char* name : {"missing.glb", "garbage.glb", "missing.fbx"}) {
      const ProgramResult r = run({command, path(name)});
      EXPECT_EQ(r.code, 2) << command << " " << name << ": " << r.err;
      EXPECT_NE(r.err.find(path(name)), std::string::npos) << r.err;
      EXPECT_EQ(r.out, "");
    }
  EXPECT_EQ(run({"compare", path("in.glb"), path("missing.glb")}).code, 2);
  EXPECT_EQ(run({"compare", path("in.glb"), path("bare.glb")}).code, 2); // no weights to compare
  EXPECT_EQ(run(bindWords({"--joints", path("no list")})).code, 2);
  EXPECT_EQ(run({"compare", path("in.glb"), path("in.glb"), "--pose-file", path("garbage.glb")}).code, 2);
}

TEST_F(Usage, UnsupportedFilesEndWithThree) {
  writeText(path("notes.txt"), "hello");
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--json"}}) {
    std::vector<std::string> words{"inspect", path("notes.txt")};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 3) << r.err;
    EXPECT_NE(r.err.find(path("notes.txt")), std::string::npos);
    EXPECT_NE(r.err.find(".glb"), std::string::npos); // says what can be read
  }
}

TEST_F(Usage, OutputThatCannotBeWrittenEndsWithFour) {
  writeText(path("out.glb"), "old");
  const auto before = names();
  const ProgramResult exists = run(bindWords());
  EXPECT_EQ(exists.code, 4) << exists.err;
  EXPECT_NE(exists.err.find("--force"), std::string::npos);
  EXPECT_EQ(readText(path("out.glb")), "old");
  const std::string nowhere = path("nowhere") + "/out.glb";
  const ProgramResult missing = run({"bind", path("in.glb"), "-o", nowhere});
  EXPECT_EQ(missing.code, 4);
  EXPECT_NE(missing.err.find(nowhere), std::string::npos);
  EXPECT_EQ(run({"bind", path("in.glb"), "-o", path("in.glb"), "--force"}).code, 4);
  EXPECT_EQ(names(), before);
}

TEST_F(Usage, OutputsAreCheckedBeforeTheWork) {
  writeText(path("old.glb"), "old");
  const std::string missing = path("missing.glb"); // would end with 2
  for (const char* output : {"old.glb", "nowhere/out.glb"})
    EXPECT_EQ(run({"bind", missing, "-o", path(output)}).code, 4) << output;
  EXPECT_EQ(run({"bind", missing, "-o", path("out.fbx")}).code, 1);
  EXPECT_EQ(run({"transfer", missing, missing, "-o", path("old.glb")}).code, 4);
  for (const char* page : {"--report-page", "--view"})
    EXPECT_EQ(run({"bind", missing, "-o", path("out.glb"), page, path("nowhere") + "/page.html"}).code, 4) << page;
  for (const char* command : {"render", "report", "view"})
    EXPECT_EQ(run({command, missing, "-o", path("old.glb")}).code, 4) << command;
  EXPECT_EQ(run({"bind", missing, "-o", path("out.glb")}).code, 2);
}

TEST_F(Usage, NoOutputTakesThePlaceOfAnInputOrAnotherOutput) {
  const std::string in = path("in.glb"), roundabout = path(".") + "/in.glb", out = path("out.glb");
  const std::string before = readText(in);
  const std::vector<std::vector<std::string>> commands{
      {"bind", in, "-o", out, "--json-file", in},
      {"bind", in, "-o", out, "--report-page", roundabout},
      {"bind", in, "-o", out, "--field", in, "--force"},
      {"bind", in, "-o", out, "--json-file", out},
      {"bind", in, "-o", out, "--report-page", path("a.html"), "--view", path(".") + "/a.html"},
      {"bind", path("bare.glb"), "--rig", in, "-o", in, "--force"},
      {"transfer", in, path("bare.glb"), "-o", in, "--force"},
      {"lod", in, "-o", in, "--force"},
      {"check", in, "--json-file", in},
      {"inspect", in, "--json-file", in},
      {"compare", path("bare.glb"), in, "--json-file", in},
      {"render", in, "-o", in},
      {"render", path("bare.glb"), in, "-o", roundabout},
      {"report", in, "-o", in},
      {"view", in, "-o", in},
  };
  for (const auto& words : commands) {
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 4) << words[0] << ": " << r.err;
    EXPECT_NE(r.err.find("name"), std::string::npos) << r.err;
    EXPECT_EQ(readText(in), before) << words[0];
  }
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(Usage, NoResultWithoutItsReport) {
  const auto before = names();
  const ProgramResult r = run(bindWords({"--json-file", path("nowhere") + "/report.json"}));
  EXPECT_EQ(r.code, 4);
  EXPECT_NE(r.err.find("report.json"), std::string::npos);
  EXPECT_EQ(names(), before);
  EXPECT_EQ(run({"inspect", path("in.glb"), "--json-file", path("nowhere") + "/report.json"}).code, 4);
}

TEST_F(Usage, ADistantSkinEndsWithFive) {
  ASSERT_EQ(run({"bind", path("in.glb"), "-o", path("near.glb"), "--method", "proximity"}).code, 0);
  const std::vector<std::string> words{"compare", path("in.glb"), path("near.glb"), "--quiet", "--max-rms"};
  const auto withLimit = [&](const std::string& limit) {
    auto all = words;
    all.push_back(limit);
    return run(all).code;
  };
  EXPECT_EQ(withLimit("0.000001"), 5);
  EXPECT_EQ(withLimit("1000"), 0);
  EXPECT_EQ(withLimit("0"), 0);
}

TEST_F(Usage, OldSpellingsNameTheNewOnes) {
  const std::string in = path("in.glb");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {bindWords({"--report", "r.json"}), "'--json-file'"},
      {bindWords({"--page", "p.html"}), "'--report-page'"},
      {bindWords({"--poses", "clips"}), "'--training-poses'"},
      {{"compare", in, in, "--poses", "p.json"}, "'--pose-file'"},
      {{"pose", in, "--poses", "p.json", "-o", "out.glb"}, "'--pose-file'"},
      {{"lod", in, "-o", "out.glb", "--field", "f.skc"}, "'--from-field'"},
      {{"view", in, "--field=f.skc"}, "'--from-field'"},
      {{"report", in, "-o", "out.html", "--bind-report", "b.json"}, "'--bind-json'"},
      {{"transfer", in, in, "-o", "out.glb", "--fit-steps", "3"}, "'--field-steps'"},
  };
  for (const auto& [words, expected] : cases) {
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 1);
    EXPECT_NE(r.err.find("is now called " + expected), std::string::npos) << r.err;
  }
}

TEST_F(Usage, OptionsThatWouldDoNothingAreRefused) {
  const std::string in = path("in.glb"), out = path("out.glb");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {bindWords({"--method", "heat", "--stiffness", "2"}), "--stiffness: does nothing with --method heat"},
      {bindWords({"--method", "proximity", "--symmetry", "off"}), "--symmetry: does nothing with --method proximity"},
      {bindWords({"--method", "heat", "--start", path("x.skc")}), "--start"},
      {{"transfer", in, in, "-o", out, "--sites", "3"}, "--sites: does nothing with --via robust"},
      {{"transfer", in, in, "-o", out, "--via", "field", "--max-angle", "3"},
       "--max-angle: does nothing with --via field"},
  };
  for (const auto& [words, expected] : cases) {
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_NE(r.err.find(expected), std::string::npos) << r.err;
  }
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(Usage, OptionsComeFromAFile) {
  writeText(path("options.json"), R"({"method": "proximity", "max-influences": 2, "force": true, "keep-joints": ""})");
  ASSERT_EQ(run(bindWords({"--options", path("options.json")})).code, 0);
  auto document = documentIn(run(bindWords({"--options", path("options.json"), "--json"})).out);
  EXPECT_EQ(document["options"]["method"], "proximity");
  EXPECT_EQ(document["options"]["max-influences"], 2);
  // The command line counts more.
  document = documentIn(run(bindWords({"--max-influences", "3", "--options=" + path("options.json"), "--json"})).out);
  EXPECT_EQ(document["options"]["max-influences"], 3);

  const std::vector<std::pair<std::string, std::string>> wrong{{R"({"stifness": 2})", "did you mean 'stiffness'?"},
                                                               {R"({"stiffness": {}})", "must be a text"},
                                                               {R"({"force": 1})", "true or false"},
                                                               {R"({"stiffness": -1})", "0.01 .. 100"},
                                                               {"[1]", "--print-options"}};
  for (const auto& [text, message] : wrong) {
    writeText(path("wrong.json"), text);
    const ProgramResult r = run(bindWords({"--options", path("wrong.json")}));
    EXPECT_EQ(r.code, 1) << text;
    EXPECT_NE(r.err.find(message), std::string::npos) << r.err;
  }
}

// What is printed can be given back, and gives the same.
TEST_F(Usage, OptionsArePrintedForAFile) {
  const ProgramResult printed = run({"bind", "--print-options", "--quality", "draft", "--drop-joints", "IK_*"});
  ASSERT_EQ(printed.code, 0) << printed.err;
  const auto json = nlohmann::json::parse(printed.out);
  EXPECT_EQ(json["quality"], "draft");
  EXPECT_EQ(json["drop-joints"], "IK_*");
  EXPECT_EQ(json["stiffness"], 1);
  EXPECT_EQ(json["force"], false);
  for (const auto& option : bindOptionTable()) EXPECT_TRUE(json.contains(option.name)) << option.name;
  writeText(path("options.json"), printed.out);
  EXPECT_EQ(run({"bind", "--print-options", "--options", path("options.json")}).out, printed.out);
}

TEST_F(Usage, FilesMayBeStandardInputAndOutput) {
  const std::string program = SKINCELLS_PROGRAM;
  const auto shell = [&](const std::string& line) { return std::system(("cd " + path("") + " && " + line).c_str()); };
  ASSERT_EQ(run(bindWords({"--method", "heat", "--quiet"})).code, 0);
  EXPECT_EQ(shell(program + " bind - -o - --method heat < in.glb > piped.glb 2> words.txt"), 0);
  EXPECT_EQ(readText(path("piped.glb")), readText(path("out.glb")));
  EXPECT_NE(readText(path("words.txt")).find("standard input -> standard output"), std::string::npos)
      << readText(path("words.txt"));
  EXPECT_EQ(shell(program + " inspect - --json < in.glb > inspected.json"), 0);
  EXPECT_EQ(documentIn(readText(path("inspected.json")))["file"]["path"], "standard input");
  EXPECT_EQ(shell(program + " render - -o - --size 64 < out.glb > sheet.png 2> words.txt"), 0);
  EXPECT_EQ(readText(path("sheet.png")).substr(1, 3), "PNG");
  for (const char* line :
       {" bind - -o x.glb < garbage.glb", " bind in.glb -o - --json", " lod in.glb -o -", " compare - - < in.glb"})
    EXPECT_NE(shell(program + line + " > none.txt 2> words.txt"), 0) << line;
}

TEST_F(Usage, TheCommandReferenceIsFresh) {
  const ProgramResult r = run({"help", "--markdown"});
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(readText(fs::path(SKINCELLS_SOURCE_DIR) / "docs" / "commands.md"), r.out)
      << "write it with: skincells help --markdown > docs/commands.md";
}

TEST_F(Usage, TheManualPageNamesEveryCommand) {
  const ProgramResult r = run({"help", "--man"});
  EXPECT_EQ(r.code, 0);
  for (const char* line : {".SH BIND\n", ".SH COMPARE\n", ".B \\-\\-max\\-influences\n"})
    EXPECT_NE(r.out.find(line), std::string::npos) << line;
  if (std::system("command -v man > /dev/null 2>&1") != 0) return;
  writeText(path("skincells.1"), r.out);
  EXPECT_EQ(std::system(("man --warnings -l " + path("skincells.1") + " > /dev/null 2> " + path("words")).c_str()), 0);
  EXPECT_EQ(readText(path("words")), "");
}

TEST_F(Usage, OnlyAVrmBecomesAVrm) {
  const ProgramResult r = run({"bind", path("in.glb"), "-o", path("out.vrm")});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_NE(r.err.find("is no VRM"), std::string::npos) << r.err;
  EXPECT_FALSE(fs::exists(path("out.vrm")));
}

TEST_F(Usage, InspectShowsWhatTheUserMustDecide) {
  BareTubeDocument two(3);
  const int other = two.node({{"name", "other"}});
  two.adopt(other, two.node({{"name", "other child"}}));
  writeBytes(path("two.glb"), two.glb());
  EXPECT_EQ(run({"bind", path("two.glb"), "-o", path("out.glb")}).code, 2);
  const ProgramResult r = run({"inspect", path("two.glb")});
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* line : {"--skeleton 'joint0'  (3 nodes)", "--skeleton 'other'  (2 nodes)", "      other child\n",
                           "several node trees could be the skeleton"})
    EXPECT_NE(r.out.find(line), std::string::npos) << line << " is missing in\n" << r.out;
  const auto document = documentIn(run({"inspect", path("two.glb"), "--json"}).out);
  EXPECT_EQ(document["trees"][0]["root"], "joint0");
  EXPECT_EQ(document["problems"].size(), 1U);

  const BareTubeDocument none(0);
  writeBytes(path("none.glb"), none.glb());
  const ProgramResult bare = run({"inspect", path("none.glb")});
  EXPECT_EQ(bare.code, 0);
  EXPECT_NE(bare.out.find("has no skeleton"), std::string::npos) << bare.out;
}

TEST_F(Usage, FailedCheckEndsWithFive) {
  EXPECT_EQ(run({"check", path("in.glb")}).code, 0);
  const ProgramResult r = run({"check", path("bare.glb")});
  EXPECT_EQ(r.code, 5);
  EXPECT_NE(r.out.find("weights.missing"), std::string::npos) << r.out;
}

} // namespace
} // namespace skincells::test
