// How commands end when they are killed, or when the disk or a reader fails.
#include <algorithm>
#include <csignal>
#include <map>
#include <thread>

#include "cli/cli_test.h"
#include "support/gltf_builder.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

using Contents = std::map<std::string, std::string>; // by name

class Ending : public CliTest {
protected:
  Ending() { fs::create_directory(path("out")); }

  std::string out(const std::string& name) const { return path("out/" + name); }
  Contents contents() const {
    Contents all;
    for (const auto& entry : fs::directory_iterator(path("out")))
      all[entry.path().filename().string()] = readText(entry.path());
    return all;
  }
  void restore(const Contents& all) const {
    fs::remove_all(path("out"));
    fs::create_directory(path("out"));
    for (const auto& [name, text] : all) writeText(out(name), text);
  }
  // With a limit on the size of files, in blocks of 512 bytes.
  ProgramResult runLimited(int blocks, std::vector<std::string> words) const {
    words.insert(words.begin(),
                 {"sh", "-c", "ulimit -f " + std::to_string(blocks) + "; exec \"$@\"", "sh", SKINCELLS_PROGRAM});
    return runProgram(words);
  }
  // Standard output goes to a file.
  ProgramResult runInto(const std::string& target, std::vector<std::string> words) const {
    words.insert(words.begin(), {"sh", "-c", "exec \"$@\" > '" + target + "'", "sh", SKINCELLS_PROGRAM});
    return runProgram(words);
  }

  // Kills the command at moments spread over its run, with old outputs in place. Each output must be the old one or the
  // new one, and after TERM there must be nothing else; all of them are of one kind unless the process was killed
  // between two renames, which only KILL can do.
  void expectWholeOutputs(std::vector<std::string> words) {
    words.insert(words.begin(), SKINCELLS_PROGRAM);
    const auto start = std::chrono::steady_clock::now();
    const ProgramResult first = runProgram(words);
    ASSERT_EQ(first.code, 0) << first.err;
    const auto duration = std::chrono::steady_clock::now() - start;
    const Contents fresh = contents();
    Contents old;
    for (const auto& [name, text] : fresh) old[name] = "old " + name;
    int killed = 0;
    constexpr int kRounds = 8;
    for (const int signal : {SIGTERM, SIGKILL})
      for (int round = 0; round < kRounds; ++round) {
        restore(old);
        // Most of the writing happens in the last tenth.
        const double share = round % 2 == 0 ? (round + 0.5) / kRounds : 0.9 + 0.12 * round / kRounds;
        const auto after = std::chrono::duration_cast<std::chrono::microseconds>(share * duration);
        const ProgramResult r = signalProgram(words, signal, after);
        ASSERT_TRUE(r.code == 0 || r.code == 128 + signal) << r.code << r.err;
        killed += r.code != 0;
        Contents now = contents();
        if (signal == SIGKILL) std::erase_if(now, [](const auto& entry) { return entry.first.starts_with("."); });
        std::size_t new_count = 0;
        for (const auto& [name, text] : now) {
          ASSERT_TRUE(fresh.contains(name)) << name << " is left after signal " << signal;
          EXPECT_TRUE(text == old[name] || text == fresh.at(name)) << name << " is broken after signal " << signal;
          new_count += text == fresh.at(name);
        }
        EXPECT_EQ(now.size(), fresh.size()) << "an output is gone";
        EXPECT_TRUE(signal == SIGKILL || new_count == 0 || new_count == fresh.size()) << new_count;
      }
    EXPECT_GT(killed, kRounds / 2) << "the test came too late";
  }
};

TEST_F(Ending, BindIsKilled) {
  expectWholeOutputs({"bind", path("in.glb"), "-o", out("a.glb"), "--field", out("a.skc"), "--quality", "draft",
                      "--joints", "all", "--force", "--quiet"});
}

TEST_F(Ending, LodIsKilled) {
  expectWholeOutputs({"lod", path("in.glb"), "-o", out("a.glb"), "--levels", "1,0.5", "--quality", "draft", "--joints",
                      "all", "--force", "--quiet"});
}

TEST_F(Ending, InterruptedImportsLeaveNoTemporaries) {
  writeText(path("a.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  writeText(path("slow.sh"), "#!/bin/sh\necho $$ > '" + path("pid") + "'\nexec sleep 60\n");
  fs::permissions(path("slow.sh"), fs::perms::owner_all);
  fs::create_directory(path("tmp"));
  for (const int signal : {SIGTERM, SIGKILL}) {
    fs::remove(path("pid"));
    const ProgramResult r = signalProgram({"env", "TMPDIR=" + path("tmp"), "SKINCELLS_IMPORTER=" + path("slow.sh"),
                                           SKINCELLS_PROGRAM, "inspect", path("a.obj")},
                                          signal, std::chrono::milliseconds(500));
    EXPECT_EQ(r.code, 128 + signal) << r.err;
    EXPECT_TRUE(signal == SIGKILL || fs::is_empty(path("tmp"))) << "left after TERM";
    ASSERT_TRUE(fs::exists(path("pid"))) << "the import had not started";
    const int pid = std::stoi(readText(path("pid")));
    for (int i = 0; i < 100 && ::kill(pid, 0) == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::string state = readText("/proc/" + std::to_string(pid) + "/stat");
    EXPECT_TRUE(state.empty() || state.find(") Z") != std::string::npos) << "the import program outlived its parent";
  }
}

TEST_F(Ending, AFullDiskLeavesTheOldFiles) {
  const Contents old{{"a.glb", "old"}, {"a.json", "old"}};
  for (const int blocks : {0, 1, 4}) {
    restore(old);
    const ProgramResult r = runLimited(blocks, {"bind", path("in.glb"), "-o", out("a.glb"), "--report", out("a.json"),
                                                "--quality", "draft", "--force", "--quiet"});
    EXPECT_EQ(r.code, 4) << blocks << r.err;
    EXPECT_EQ(contents(), old) << blocks;
    const ProgramResult levels =
        runLimited(blocks, {"lod", path("in.glb"), "-o", out("b.gltf"), "--quality", "draft", "--quiet"});
    EXPECT_EQ(levels.code, 4) << blocks << levels.err;
    EXPECT_EQ(contents(), old) << blocks;
  }
}

TEST_F(Ending, UnwrittenStandardOutputIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  for (const auto& words : std::vector<std::vector<std::string>>{{"inspect", path("in.glb"), "--json"},
                                                                 {"inspect", path("in.glb")},
                                                                 {"check", path("bare.glb")},
                                                                 {"--help"},
                                                                 {"--version"}}) {
    const ProgramResult r = runInto("/dev/full", words);
    EXPECT_EQ(r.code, 4) << words[0];
    EXPECT_NE(r.err.find("standard output"), std::string::npos) << r.err;
  }
  EXPECT_EQ(runInto("/dev/full", {"inspect", path("in.glb"), "--quiet"}).code, 0) << "nothing to print";
  // The files do not suffer from it.
  EXPECT_EQ(runInto("/dev/full", {"bind", path("in.glb"), "-o", out("a.glb"), "--quality", "draft"}).code, 4);
  EXPECT_EQ(run({"check", out("a.glb")}).code, 0);
}

TEST_F(Ending, AFailedSideOutputFailsAll) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  for (const char* side : {"--report", "--page"}) {
    const ProgramResult r =
        run({"bind", path("in.glb"), "-o", out("a.glb"), side, "/dev/full", "--quality", "draft", "--quiet"});
    EXPECT_EQ(r.code, 4) << r.err;
    EXPECT_TRUE(contents().empty()) << side;
  }
}

TEST_F(Ending, TimeLimitWritesTheBestSoFarAndSaysSo) {
  const std::string input = path("in.glb");
  const ProgramResult r = run({"bind", input, "-o", out("x.glb"), "--time-limit", "0.000001"});
  EXPECT_EQ(r.code, 7) << r.err;
  EXPECT_NE(r.out.find("time limit"), std::string::npos) << r.out;
  EXPECT_EQ(run({"check", out("x.glb")}).code, 0);
}

} // namespace
} // namespace skincells::test
