// The command `batch`: exit codes, documents and files.
#include <algorithm>
#include <csignal>
#include <regex>

#include "cli/cli_test.h"
#include "support/gltf_builder.h"
#include "support/sanitized.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

using Strings = std::vector<std::string>;

class BatchProgram : public CliTest {
protected:
  BatchProgram() {
    fs::create_directories(path("in"));
    writeBytes(path("in/<b>hero.glb"), TubeDocument(4).glb());
    writeBytes(path("in/villain.glb"), TubeDocument(5).glb());
  }
  ProgramResult batch(Strings more = {}, const Strings& command = {"bind", "--method", "proximity"}) const {
    Strings words{"batch", path("in"), "-o", path("out")};
    words.insert(words.end(), more.begin(), more.end());
    words.push_back("--");
    words.insert(words.end(), command.begin(), command.end());
    return run(words);
  }
};

TEST_F(BatchProgram, WritesPageAndTable) {
  const ProgramResult r = batch({"--pages"});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_NE(r.out.find("2 items, 2 done, 0 failed"), std::string::npos) << r.out;
  const std::string page = readText(path("out/index.html"));
  EXPECT_NE(page.find("hero"), std::string::npos);
  EXPECT_EQ(page.find("<b>hero"), std::string::npos); // names are data, not markup
  EXPECT_EQ(std::ranges::count(readText(path("out/batch.csv")), '\n'), 3);
  for (const char* file : {"villain.glb", "report.json", "report.html", "thumbnail.png"})
    EXPECT_TRUE(fs::exists(path("out/items/villain/") + file)) << file;
  const std::string lines = readText(path("out/batch.jsonl"));
  const auto line = nlohmann::json::parse(lines.substr(0, lines.find('\n')));
  const std::string worst = line["worst_pose"];
  EXPECT_TRUE(worst.starts_with("pose ") && worst.find(", stretch 0.") != std::string::npos) << worst;
  EXPECT_NE(page.find(worst), std::string::npos);
  EXPECT_NE(readText(path("out/batch.csv")).find(worst), std::string::npos);
  documentIn(readText(path("out/items/villain/report.json")));
}

// The batch itself must not read an input as a whole.
TEST_F(BatchProgram, AFileLargerThanTheMemoryIsOneFailure) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need more address space";
  writeText(path("in/huge.glb"), "");
  fs::resize_file(path("in/huge.glb"), std::uintmax_t{400} << 20U); // with holes: it takes no space
  const ProgramResult r = runProgram({"sh", "-c",
                                      "ulimit -v 300000; exec " SKINCELLS_PROGRAM " batch '" + path("in") + "' -o '" +
                                          path("out") + "' --workers 1 --quiet -- bind --method proximity"});
  EXPECT_EQ(r.code, 6) << r.err;
  EXPECT_TRUE(fs::exists(path("out/items/villain/villain.glb")));
}

TEST_F(BatchProgram, TheOutputMustBeAFolder) {
  writeText(path("out"), "a file");
  const ProgramResult r = batch();
  EXPECT_EQ(r.code, 4);
  EXPECT_NE(r.err.find("give another output folder"), std::string::npos) << r.err;
  EXPECT_EQ(readText(path("out")), "a file");
}

TEST_F(BatchProgram, FailedItemsAreExitCode6) {
  writeText(path("in/bad.glb"), "no character");
  const ProgramResult r = batch({"--json"});
  EXPECT_EQ(r.code, 6) << r.err;
  const auto document = documentIn(r.out);
  EXPECT_EQ(document["done"], 2);
  EXPECT_EQ(document["errors"]["invalid_file"], 1);
  EXPECT_NE(readText(path("out/index.html")).find("invalid_file"), std::string::npos);
}

TEST_F(BatchProgram, ThePlanIsADocument) {
  const ProgramResult r = batch({"--dry-run", "--json"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(documentIn(r.out)["run"], 2);
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(BatchProgram, OptionsAreCheckedBeforeTheFirstItem) {
  for (const Strings& command : std::vector<Strings>{
           {"bind", "--max-influences", "99"}, {"bind", "--no-such"}, {"view"}, {"compare"}, {"nonsense"}, {"apply"}}) {
    const ProgramResult r = batch({}, command);
    EXPECT_EQ(r.code, 1) << command[0] << ": " << r.err;
    EXPECT_FALSE(fs::exists(path("out")));
  }
  writeText(path("list.jsonl"), "in/villain.glb\n{\"input\": \"in/villain.glb\", \"name\": \"x\", \"options\": "
                                "{\"max-influences\": 99}}\n");
  EXPECT_EQ(run({"batch", path("list.jsonl"), "-o", path("out")}).code, 1);
  EXPECT_EQ(batch({"--shards", "4"}).code, 1); // no task of an array
  EXPECT_EQ(batch({"--shard", "4/4"}).code, 1);
}

TEST_F(BatchProgram, ErrorsOfAManifestSayTheLine) {
  const auto errorOf = [&](const std::string& line, const Strings& command = {}) {
    writeText(path("list.jsonl"), "in/villain.glb\n\n" + line + "\n");
    Strings words{"batch", path("list.jsonl"), "-o", path("out"), "--"};
    words.insert(words.end(), command.begin(), command.end());
    const ProgramResult r = run(words);
    EXPECT_NE(r.code, 0) << line;
    EXPECT_FALSE(fs::exists(path("out"))) << line;
    return r.err;
  };
  const std::string start = R"({"input": "in/villain.glb", "name": "x", "options": )";
  for (const auto& [line, wanted] : std::vector<std::pair<std::string, std::string>>{
           {start + R"({"no-such": 1}})", "no option '--no-such'"},
           {start + R"({"max-influences": 99}})", "1 .. 8"},
           {start + R"({"output": "elsewhere.glb"}})", "--output: the batch gives it"},
           {start + R"({"threads": 4}})", "--threads: the batch gives it"},
           {start + R"({"memory-limit": 4}})", "--memory-limit: the batch gives it"},
           {start + R"({"quality": null}})", "must be text, a number"},
           {start + R"({"quality": "draft")", "not valid JSON; see column"},
           {R"({"name": "x"})", "has no \"input\""},
           {R"({"input": "a.glb", "name": "../x"})", "\"name\" must be"},
           {R"({"input": "a.glb", "quality": "draft"})", "unknown key \"quality\""}}) {
    const std::string error = errorOf(line);
    EXPECT_NE(error.find("list.jsonl, line 3"), std::string::npos) << error;
    EXPECT_NE(error.find(wanted), std::string::npos) << error;
  }
  // What is wrong with the command itself is no matter of a line.
  EXPECT_EQ(errorOf(start + R"({"seed": 3}})", {"bind", "--no-such"}).find("line 3"), std::string::npos);
  EXPECT_NE(errorOf("in/hero.glb", {"bind", "one.glb"}).find("which the batch adds"), std::string::npos);
}

TEST_F(BatchProgram, OptionsOfAnItemReplaceThoseOfTheCommand) {
  writeText(path("list.jsonl"), "{\"input\": \"in/villain.glb\", \"options\": {\"max-influences\": 2}}\n");
  const ProgramResult r = run(
      {"batch", path("list.jsonl"), "-o", path("out"), "--", "bind", "--method", "proximity", "--max-influences", "8"});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(documentIn(readText(path("out/items/villain/report.json")))["options"]["max-influences"], 2);
}

TEST_F(BatchProgram, ReadsAManifestFromStandardInput) {
  const ProgramResult r = runProgram({"sh", "-c",
                                      "printf '%s\\n' '" + path("in/villain.glb") + "' | " + SKINCELLS_PROGRAM +
                                          " batch - -o '" + path("out") + "' -- inspect"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(fs::exists(path("out/items/villain/report.json")));
}

TEST_F(BatchProgram, AppliesAFieldToMany) {
  ASSERT_EQ(run({"bind", path("in/villain.glb"), "-o", path("v.glb"), "--quality", "draft", "--field", path("v.skc"),
                 "--quiet"})
                .code,
            0);
  fs::remove(path("in/<b>hero.glb")); // another skeleton
  fs::copy_file(path("in/villain.glb"), path("in/twin.glb"));
  const ProgramResult r = batch({}, {"apply", path("v.skc")});
  EXPECT_EQ(r.code, 0) << r.err << r.out;
  for (const char* file : {"villain/villain.glb", "twin/twin.glb"})
    EXPECT_EQ(readText(path("out/items/") + file), readText(path("v.glb")));
}

TEST_F(BatchProgram, RunsEveryCommandWithOneInput) {
  ASSERT_EQ(batch({"--quiet"}).code, 0);
  writeText(path("poses.json"), R"({"joints": ["joint1"], "bent": [[[1,0,0,0, 0,0,-1,0, 0,1,0,0]]]})");
  const std::string file = "out/items/villain/villain";
  for (const auto& [command, output] : std::vector<std::pair<Strings, std::string>>{
           {{"lod", "--levels", "1,0.5", "--quality", "draft"}, "villain_lod1.glb"},
           {{"pose", "--pose-file", path("poses.json")}, "villain.glb"},
           {{"render", "--size", "64"}, "villain.png"},
           {{"report"}, "report.html"},
           {{"check"}, "thumbnail.png"},
           {{"inspect"}, "thumbnail.png"}}) {
    const std::string out = path("of_" + command.front());
    Strings words{"batch", path(file + ".glb"), "-o", out, "--quiet", "--pages", "--"};
    words.insert(words.end(), command.begin(), command.end());
    const ProgramResult r = run(words);
    EXPECT_EQ(r.code, 0) << command.front() << ": " << r.err;
    for (const std::string& name : {output, std::string("report.json")})
      EXPECT_TRUE(fs::exists(fs::path(out) / "items/villain" / name)) << command.front() << ": " << name;
    const std::string lines = readText(out + "/batch.jsonl");
    EXPECT_EQ(lines.find("_failed"), std::string::npos) << lines;
  }
}

TEST_F(BatchProgram, AnOptionFileCountsAsItsOptions) {
  fs::copy_file(path("in/villain.glb"), path("rig.glb"));
  writeText(path("options.json"), R"({"quality": "draft", "max-influences": 2, "rom": "ranges.json"})");
  writeText(path("ranges.json"), R"({"default": {"swing": 30}})");
  const auto ran = [&] {
    const ProgramResult r =
        runProgram({"sh", "-c",
                    "cd '" + path("") +
                        "' && " SKINCELLS_PROGRAM
                        " batch in/villain.glb -o out --json -- bind --options options.json --max-influences 3"});
    EXPECT_EQ(r.code, 0) << r.err << r.out;
    return documentIn(r.out)["ran_now"].get<int>();
  };
  EXPECT_EQ(ran(), 1);
  const auto report = documentIn(readText(path("out/items/villain/report.json")));
  EXPECT_EQ(report["options"]["quality"], "draft");
  EXPECT_EQ(report["options"]["max-influences"], 3);
  EXPECT_EQ(ran(), 0);
  writeText(path("ranges.json"), R"({"default": {"swing": 40}})"); // a file that the option file names
  EXPECT_EQ(ran(), 1);
}

TEST_F(BatchProgram, ATerminalSeesProgress) {
  for (int i = 0; i < 8; ++i) fs::copy_file(path("in/villain.glb"), path("in/copy" + std::to_string(i) + ".glb"));
  const ProgramResult r =
      runProgram({"script", "-qec",
                  SKINCELLS_PROGRAM " batch '" + path("in") + "' -o '" + path("out") + "' --workers 1", "/dev/null"});
  EXPECT_EQ(r.code, 0) << r.err;
  const std::regex wanted(R"(\r\x1b\[K[1-9] of 10 done, 0 failed, [0-9.e+-]+ per second, about [0-9]+ s left)");
  EXPECT_TRUE(std::regex_search(r.out, wanted)) << r.out;
}

TEST_F(BatchProgram, ABindRefusesToStartFromAnotherSkeleton) {
  const auto bind = [&](const std::string& input, const Strings& more) {
    Strings words{"bind", path("in/" + input), "-o", path("bound.glb"), "--quality", "draft", "--quiet", "--force"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  ASSERT_EQ(bind("villain.glb", {"--field", path("v.skc")}).code, 0);
  EXPECT_EQ(bind("villain.glb", {"--start", path("v.skc")}).code, 0);
  const ProgramResult other = bind("<b>hero.glb", {"--start", path("v.skc")});
  EXPECT_NE(other.code, 0);
  EXPECT_NE(other.err.find("5 joints"), std::string::npos) << other.err;
  EXPECT_NE(bind("villain.glb", {"--start", path("v.skc"), "--sites", "3"}).err.find("--sites"), std::string::npos);
  EXPECT_NE(bind("villain.glb", {"--start", path("none.skc")}).code, 0);
  EXPECT_NE(bind("villain.glb", {"--same-shape"}).err.find("--start"), std::string::npos);
}

TEST_F(BatchProgram, ShardsAndMerge) {
  EXPECT_EQ(batch({"--shard", "0/2"}).code, 0);
  EXPECT_FALSE(fs::exists(path("out/index.html")));
  EXPECT_EQ(batch({"--merge"}).code, 6); // one item has not been run
  EXPECT_EQ(batch({"--shard", "1/2"}).code, 0);
  EXPECT_EQ(batch({"--merge"}).code, 0);
  EXPECT_TRUE(fs::exists(path("out/index.html")));
}

TEST_F(BatchProgram, TasksOfAnArrayFindTheirShard) {
  const auto task = [&](const std::string& variable) {
    return runProgram({"env", variable, SKINCELLS_PROGRAM, "batch", path("in"), "-o", path("out"), "--shards", "2",
                       "--quiet", "--", "bind", "--method", "proximity"});
  };
  EXPECT_EQ(task("JOB_COMPLETION_INDEX=1").code, 0); // Kubernetes
  EXPECT_TRUE(fs::exists(path("out/items/villain/villain.glb")));
  EXPECT_FALSE(fs::exists(path("out/items/<b>hero")));
  const ProgramResult beyond = task("JOB_COMPLETION_INDEX=2");
  EXPECT_EQ(beyond.code, 1);
  EXPECT_NE(beyond.err.find("JOB_COMPLETION_INDEX"), std::string::npos) << beyond.err;
  EXPECT_EQ(task("AWS_BATCH_JOB_ARRAY_INDEX=1").code, 0); // again: harmless
  EXPECT_EQ(task("SLURM_ARRAY_TASK_ID=0").code, 0);
  EXPECT_EQ(batch({"--merge"}).code, 0);
}

TEST_F(BatchProgram, ASignalEndsItCleanly) {
  for (int i = 0; i < 30; ++i) fs::copy_file(path("in/villain.glb"), path("in/copy" + std::to_string(i) + ".glb"));
  const Strings words{SKINCELLS_PROGRAM, "batch", path("in"), "-o", path("out"), "--workers", "2", "--quiet"};
  const ProgramResult r = signalProgram(words, SIGTERM, std::chrono::milliseconds(400));
  EXPECT_EQ(r.code, 128 + SIGTERM) << r.err;
  EXPECT_FALSE(fs::exists(path("out/.work")));
  EXPECT_EQ(runProgram(words).code, 0);
}

} // namespace
} // namespace skincells::test
