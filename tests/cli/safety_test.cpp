// What commands must not touch.
#include <sys/stat.h>

#include "cli/cli_test.h"
#include "support/gltf_builder.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

class Safety : public CliTest {
protected:
  // A .gltf file with a separate buffer: in.gltf and in.bin.
  void makeText() const {
    ASSERT_EQ(run({"bind", path("in.glb"), "-o", path("in.gltf"), "--method", "proximity", "--quiet"}).code, 0);
    ASSERT_TRUE(fs::exists(path("in.bin")));
  }
  std::vector<std::string> quickBind(const std::string& input, const std::string& output,
                                     const std::vector<std::string>& more) const {
    std::vector<std::string> words{"bind", path(input), "-o", path(output), "--method", "proximity", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  nlohmann::json jsonIn(const std::string& name) const { return nlohmann::json::parse(readText(path(name))); }
};

TEST_F(Safety, SideOutputsSpareTheFilesThatInputsReferTo) {
  makeText();
  const std::string before = readText(path("in.bin"));
  fs::create_symlink("in.bin", path("link"));
  for (const char* target : {"in.bin", "link"})
    for (const auto& words : std::vector<std::vector<std::string>>{
             quickBind("in.gltf", "out.glb", {"--json-file", path(target), "--force"}),
             quickBind("in.gltf", "out.glb", {"--report-page", path(target), "--force"}),
             {"inspect", path("in.gltf"), "--json-file", path(target), "--force"},
             {"check", path("in.gltf"), "--json-file", path(target), "--force"},
             {"compare", path("in.gltf"), path("in.glb"), "--json-file", path(target), "--force"},
             {"render", path("in.gltf"), "-o", path(target), "--force"},
             {"report", path("in.gltf"), "-o", path(target), "--force"},
             {"view", path("in.gltf"), "-o", path(target), "--force"}}) {
      const ProgramResult r = run(words);
      EXPECT_EQ(r.code, 4) << words[0] << ": " << r.err;
      EXPECT_NE(r.err.find("is also an input"), std::string::npos) << r.err;
      EXPECT_EQ(readText(path("in.bin")), before) << words[0];
    }
  EXPECT_FALSE(fs::exists(path("out.glb")));
}

TEST_F(Safety, SideOutputsSpareOptionFiles) {
  writeText(path("joints.txt"), "joint1\njoint2\n");
  writeText(path("rom.json"), R"({"joints": {"joint1": {"twist": 3}}})");
  const ProgramResult joints = run(
      quickBind("in.glb", "out.glb", {"--joints", path("joints.txt"), "--json-file", path("joints.txt"), "--force"}));
  EXPECT_EQ(joints.code, 4) << joints.err;
  const ProgramResult ranges =
      run(quickBind("in.glb", "out.glb", {"--rom", path("rom.json"), "--report-page", path("rom.json"), "--force"}));
  EXPECT_EQ(ranges.code, 4) << ranges.err;
  EXPECT_EQ(readText(path("joints.txt")), "joint1\njoint2\n");
  EXPECT_EQ(run(quickBind("in.glb", "out.glb", {"--joints", path("joints.txt")})).code, 0);
}

TEST_F(Safety, LevelsAreOutputsToo) {
  for (const char* side : {"out.glb", "out_lod1.glb"}) {
    const ProgramResult r = run({"lod", path("in.glb"), "-o", path("out.glb"), "--json-file", path(side), "--force"});
    EXPECT_EQ(r.code, 4) << r.err;
    EXPECT_NE(r.err.find("two outputs"), std::string::npos) << r.err;
  }
  EXPECT_FALSE(fs::exists(path("out.glb")));
}

TEST_F(Safety, NothingIsReplacedWithoutForce) {
  writeText(path("there"), "precious");
  for (const auto& words : std::vector<std::vector<std::string>>{
           quickBind("in.glb", "out.glb", {"--json-file", path("there")}),
           quickBind("in.glb", "out.glb", {"--report-page", path("there")}),
           {"bind", path("in.glb"), "-o", path("out.glb"), "--field", path("there")},
           {"inspect", path("in.glb"), "--json-file", path("there")},
           {"check", path("in.glb"), "--json-file", path("there")},
           {"compare", path("in.glb"), path("in.glb"), "--json-file", path("there")}}) {
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 4) << words[0];
    EXPECT_NE(r.err.find("--force"), std::string::npos) << r.err;
    EXPECT_EQ(readText(path("there")), "precious");
  }
  EXPECT_FALSE(fs::exists(path("out.glb")));
  EXPECT_EQ(run({"inspect", path("in.glb"), "--json-file", path("there"), "--force"}).code, 0);
}

TEST_F(Safety, DevicesStayDevices) {
  for (const auto& words : std::vector<std::vector<std::string>>{
           quickBind("in.glb", "out.glb", {"--json-file", "/dev/null", "--report-page", "/dev/null", "--force"}),
           {"inspect", path("in.glb"), "--json-file", "/dev/null"}})
    EXPECT_EQ(run(words).code, 0);
  struct stat info {};
  ASSERT_EQ(::stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
  const ProgramResult r = run({"inspect", path("in.glb"), "--json-file", "/dev/stdout", "--quiet"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(documentIn(r.out)["command"], "inspect");
}

TEST_F(Safety, PipesAndDevicesAreNoInputs) {
  ASSERT_EQ(::mkfifo(path("pipe.glb").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(path("pipe.obj").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(path("pipe.skc").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(path("pipe.txt").c_str(), 0600), 0);
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"inspect", path("pipe.glb")},
           {"inspect", path("pipe.obj")},
           {"inspect", path("pipe.skc")},
           {"inspect", "/dev/zero"},
           quickBind("bare.glb", "out.glb", {"--rig", path("pipe.glb")}),
           quickBind("in.glb", "out.glb", {"--joints", path("pipe.txt")}),
           {"compare", path("in.glb"), path("in.glb"), "--pose-file", path("pipe.txt")}})
    EXPECT_EQ(run(words).code, 2) << words[1];
  // Nor are they read because a file refers to them.
  makeText();
  fs::remove(path("in.bin"));
  ASSERT_EQ(::mkfifo(path("in.bin").c_str(), 0600), 0);
  const ProgramResult r = run({"inspect", path("in.gltf")});
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("pipe or a device"), std::string::npos) << r.err;
}

TEST_F(Safety, BuffersBehindLinksOutOfTheFolderAreNotRead) {
  makeText();
  fs::create_directory(path("model"));
  fs::rename(path("in.gltf"), path("model/in.gltf"));
  fs::create_symlink("../in.bin", path("model/in.bin"));
  const ProgramResult r = run({"inspect", path("model/in.gltf")});
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("leads out of the folder"), std::string::npos) << r.err;
}

TEST_F(Safety, ATextFileAndItsBufferAreReplacedAsOne) {
  fs::create_directory(path("out"));
  const auto bindTo = [&](int influences) {
    return run(quickBind("in.glb", "out/a.gltf",
                         {"--max-influences", std::to_string(influences), "--quantize", "f32", "--force"}));
  };
  ASSERT_EQ(bindTo(4).code, 0);
  const std::string first = jsonIn("out/a.gltf")["buffers"][0]["uri"];
  EXPECT_EQ(first, "a.bin");
  ASSERT_EQ(bindTo(4).code, 0);
  EXPECT_EQ(jsonIn("out/a.gltf")["buffers"][0]["uri"], "a.bin") << "the same bytes keep their name";
  ASSERT_EQ(bindTo(1).code, 0);
  const std::string second = jsonIn("out/a.gltf")["buffers"][0]["uri"];
  EXPECT_NE(second, first) << "the old file must be whole until the new one takes its place";
  EXPECT_TRUE(fs::exists(path("out/" + second)));
  EXPECT_FALSE(fs::exists(path("out/" + first))) << "nothing refers to it any more";
  EXPECT_EQ(run({"check", path("out/a.gltf")}).code, 0);
  ASSERT_EQ(bindTo(2).code, 0);
  EXPECT_EQ(jsonIn("out/a.gltf")["buffers"][0]["uri"], first) << "the names alternate";
}

TEST_F(Safety, BuffersOfATextFileSpareFilesOfTheSameName) {
  writeText(path("out.bin"), "precious");
  ASSERT_EQ(run(quickBind("in.glb", "out.gltf", {"--json-file", path("out.2.bin"), "--force"})).code, 0);
  EXPECT_EQ(readText(path("out.bin")), "precious");
  EXPECT_EQ(jsonIn("out.gltf")["buffers"][0]["uri"], "out.3.bin");
  EXPECT_EQ(jsonIn("out.2.bin")["command"], "bind") << "the report";
}

// Names of files, joints and clips come from strangers, and a terminal obeys what they contain.
TEST_F(Safety, NamesAreNeverPrintedRaw) {
  makeText();
  auto document = jsonIn("in.gltf");
  for (auto& node : document["nodes"])
    node["name"] = "\033]0;owned\007\xC2\x9B"
                   "31m" +
                   node.value("name", "") + "\nskincells: fake";
  document["asset"]["generator"] = "\033[2J";
  const std::string odd = "\033[31mred", file = path(odd + ".gltf");
  writeText(file, document.dump());
  std::vector<std::vector<std::string>> commands{{"inspect", file},
                                                 {"check", file},
                                                 {"compare", file, file},
                                                 {"bind", file, "-o", path(odd + " out.glb"), "--quality", "draft"},
                                                 {"bind", file, "-o", path("\033[0m.xyz")},
                                                 {"lod", file, "-o", path(odd + " lod.glb"), "--quality", "draft"},
                                                 {"render", file, "-o", path(odd + ".png"), "--size", "64"},
                                                 {"inspect", path("\033[5mmissing.glb")},
                                                 {"\033[5m"},
                                                 {"inspect", file, "--\033[5m"}};
  for (auto words : commands)
    for (const bool json : {false, true}) {
      if (json && words[0] == "render") continue;
      if (json) words.insert(words.end(), {"--json"});
      if (json && words.size() > 4 && words[2] == "-o") words.push_back("--force");
      const ProgramResult r = run(words);
      for (const std::string& printed : {r.out, r.err})
        for (const char* raw : {"\033", "\007", "\xC2\x9B"})
          EXPECT_EQ(printed.find(raw), std::string::npos) << words[0] << ": " << printed;
      EXPECT_EQ(r.out.find("\nskincells: fake"), std::string::npos) << words[0];
    }
}

} // namespace
} // namespace skincells::test
