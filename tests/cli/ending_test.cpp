// How commands end when they are killed, or when the disk or a reader fails.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <map>
#include <thread>

#include "cli/cli_test.h"
#include "support/gltf_builder.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

using Contents = std::map<std::string, std::string>; // by name

// How often each command is killed by each signal, and meets a full disk; `make soak` asks for more.
int rounds() {
  const char* asked = std::getenv("SKINCELLS_KILLS");
  return asked == nullptr ? 6 : std::max(2, std::atoi(asked));
}

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
    const int count = rounds();
    for (const int signal : {SIGTERM, SIGKILL})
      for (int round = 0; round < count; ++round) {
        restore(old);
        // Most of the writing happens in the last tenth.
        const double share = round % 2 == 0 ? (round + 0.5) / count : 0.9 + 0.12 * round / count;
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
    EXPECT_GT(killed, count / 8) << "the test came too late";
  }

  // On disks that are full after 0, 1, 2 ... blocks, the command fails and the old outputs stay; on a large enough one
  // it succeeds.
  void expectOldOutputs(const std::vector<std::string>& words) {
    const ProgramResult first = run(words);
    ASSERT_EQ(first.code, 0) << first.err;
    Contents old;
    std::size_t largest = 0;
    for (const auto& [name, text] : contents()) {
      old[name] = "old " + name;
      largest = std::max(largest, text.size());
    }
    const int needed = static_cast<int>((largest + 511) / 512), count = rounds();
    for (int round = 0; round < count; ++round) {
      restore(old);
      const int blocks = needed * round / count;
      const ProgramResult r = runLimited(blocks, words);
      EXPECT_EQ(r.code, 4) << blocks << r.err;
      EXPECT_EQ(contents(), old) << blocks;
    }
  }

  // Every command that writes; each output is in out().
  std::vector<std::vector<std::string>> writingCommands() {
    const std::string skin = path("skin.glb"), field = path("field.skc");
    const ProgramResult made = run({"bind", path("in.glb"), "-o", skin, "--field", field, "--quality", "draft",
                                    "--joints", "all", "--quiet", "--force"});
    EXPECT_EQ(made.code, 0) << made.err;
    const std::vector<std::string> end{"--force", "--quiet"};
    std::vector<std::vector<std::string>> all{
        {"bind", path("in.glb"), "-o", out("a.glb"), "--field", out("a.skc"), "--quality", "draft", "--joints", "all"},
        {"lod", path("in.glb"), "-o", out("a.glb"), "--levels", "1,0.5", "--quality", "draft", "--joints", "all"},
        {"apply", field, path("in.glb"), "-o", out("a.glb")},
        {"transfer", skin, path("in.glb"), "-o", out("a.glb")},
        {"render", skin, "-o", out("a.png")},
        {"report", skin, "-o", out("a.html")},
    };
    for (auto& words : all) words.insert(words.end(), end.begin(), end.end());
    return all;
  }
};

TEST_F(Ending, AKilledCommandLeavesWholeFiles) {
  for (const auto& words : writingCommands()) {
    SCOPED_TRACE(words[0]);
    restore({});
    expectWholeOutputs(words);
  }
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
  for (const auto& words : writingCommands()) {
    SCOPED_TRACE(words[0]);
    restore({});
    expectOldOutputs(words);
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

TEST_F(Ending, MoreMemoryThanAllowedIsAnErrorWithoutOutput) {
  const std::vector<std::string> words{"bind", path("in.glb"), "-o", out("a.glb"), "--quality", "draft", "--quiet"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return run(more);
  };
  const ProgramResult r = with({"--memory-limit", "1"});
  EXPECT_EQ(r.code, 2) << r.err;
  EXPECT_NE(r.err.find("--memory-limit"), std::string::npos) << r.err;
  EXPECT_TRUE(fs::is_empty(out("")));
  EXPECT_EQ(with({"--memory-limit", "1000"}).code, 0);
}

// As in "skincells help --markdown | head -1". The pause lets the reader end first.
TEST_F(Ending, NothingIsSaidWhenTheReaderHasEnough) {
  const std::string line = "(sleep 0.2; " SKINCELLS_PROGRAM " help --markdown 2> " + out("words.txt") + "; echo $? > " +
                           out("code.txt") + ") | true";
  EXPECT_EQ(std::system(line.c_str()), 0);
  EXPECT_EQ(readText(out("words.txt")), "");
  EXPECT_EQ(readText(out("code.txt")), "4\n");
}

TEST_F(Ending, AFailedSideOutputFailsAll) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  for (const char* side : {"--json-file", "--report-page"}) {
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
