// A batch over small characters: results, failures of every kind, resuming, shards.
#include <atomic>
#include <csignal>
#include <map>
#include <set>
#include <thread>

#include <sys/stat.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "batch/line.h"
#include "skincells/batch.h"
#include "support/files.h"
#include "support/gltf_builder.h"
#include "support/program.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

class Batch : public testing::Test {
protected:
  Batch() {
    for (const char* name : {"a", "b", "sub/c"}) makeCharacter(name, 3 + static_cast<int>(name[0] % 4));
    job.inputs = {path("in")};
    job.output = path("out");
    job.command = {"bind", "--method", "proximity"};
    job.batch.workers = 2;
    job.batch.thumbnails = false;
    job.program = SKINCELLS_PROGRAM;
  }

  void makeCharacter(const std::string& name, int joints) const {
    const fs::path file = folder_.path("in/" + name + ".glb");
    fs::create_directories(file.parent_path());
    writeBytes(file, TubeDocument(joints).glb());
  }

  // A program that does something else for the input BAD.glb, and is skincells for all others.
  void replaceProgramFor(const std::string& bad, const std::string& commands) {
    const std::string script = path("worker.sh");
    writeText(script, "#!/bin/sh\ncase \"$*\" in *" + bad + ".glb*) " + commands + " ;; esac\nexec " +
                          SKINCELLS_PROGRAM + " \"$@\"\n");
    ::chmod(script.c_str(), 0755);
    job.program = script;
  }

  BatchOutcome runJob() const {
    auto outcome = run(job);
    EXPECT_TRUE(outcome) << outcome.error().text();
    return outcome ? *outcome : BatchOutcome{};
  }

  // The line of the only item that failed; the others must be done, with their files.
  BatchLine onlyFailure(const std::string& name) const {
    const BatchOutcome outcome = runJob();
    EXPECT_EQ(outcome.counts.failed, 1U);
    EXPECT_EQ(outcome.counts.done, 2U);
    BatchLine failed;
    for (const BatchLine& line : outcome.lines) {
      if (!line.is_done) failed = line;
      EXPECT_EQ(fs::exists(path("out/items/" + line.item)), line.is_done) << line.item;
    }
    EXPECT_EQ(failed.item, name);
    EXPECT_FALSE(failed.message.empty());
    EXPECT_TRUE(leftovers().empty());
    return failed;
  }

  // Bytes of all characters that were written.
  std::map<std::string, std::string> characters(const std::string& out = "out") const {
    std::map<std::string, std::string> bytes;
    for (const auto& entry : fs::recursive_directory_iterator(path(out + "/items")))
      if (entry.path().extension() == ".glb")
        bytes[entry.path().lexically_relative(path(out)).string()] = readText(entry.path());
    return bytes;
  }

  std::set<std::string> leftovers() const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(path("out"))) {
      const std::string name = entry.path().lexically_relative(path("out")).string();
      if (name.starts_with(".work") || name.starts_with("lines") || name.find(".tmp") != std::string::npos)
        names.insert(name);
    }
    return names;
  }

  std::vector<std::string> plan() const {
    auto plan = planBatch(job);
    EXPECT_TRUE(plan) << plan.error().text();
    std::vector<std::string> reasons;
    if (plan)
      for (const BatchPlan& p : *plan) reasons.push_back(p.reason);
    return reasons;
  }

  std::string path(const std::string& name) const { return folder_.path(name).string(); }

  TemporaryFolder folder_;
  BatchJob job;
};

using Strings = std::vector<std::string>;

TEST_F(Batch, WritesWhatTheCommandAloneWrites) {
  const BatchOutcome outcome = runJob();
  EXPECT_EQ(outcome.counts.done, 3U);
  EXPECT_TRUE(leftovers().empty());
  ASSERT_EQ(
      runProgram({SKINCELLS_PROGRAM, "bind", path("in/sub/c.glb"), "-o", path("c.glb"), "--method", "proximity"}).code,
      0);
  EXPECT_EQ(readText(path("out/items/sub/c/c.glb")), readText(path("c.glb")));
  const auto report = nlohmann::json::parse(readText(path("out/items/sub/c/report.json")));
  EXPECT_EQ(report["output"]["path"], "c.glb"); // not the folder that it was made in
  const BatchLine& line = outcome.lines.back();
  EXPECT_EQ(line.item, "sub/c");
  EXPECT_EQ(line.outputs.size(), 2U);
  EXPECT_EQ(line.outputs.front().name, "c.glb");
  EXPECT_EQ(line.outputs.front().bytes, fs::file_size(path("c.glb")));
  EXPECT_GT(line.cpu_seconds, 0);
  EXPECT_GT(line.memory_mb, 1);
}

TEST_F(Batch, SkipsWhatIsDone) {
  EXPECT_EQ(plan(), (Strings{"new", "new", "new"}));
  EXPECT_FALSE(fs::exists(path("out"))); // a plan changes nothing
  runJob();
  EXPECT_EQ(runJob().counts.ran, 0U);
  EXPECT_EQ(plan(), (Strings{"", "", ""}));
}

TEST_F(Batch, RunsAgainWhatHasChanged) {
  runJob();
  makeCharacter("a", 9);
  EXPECT_EQ(plan(), (Strings{"input changed", "", ""}));
  fs::remove(path("out/items/b/b.glb"));
  EXPECT_EQ(plan(), (Strings{"input changed", "outputs missing or changed", ""}));
  std::string bytes = readText(path("out/items/sub/c/c.glb"));
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  writeText(path("out/items/sub/c/c.glb"), bytes);
  EXPECT_EQ(plan()[2], "");
  job.batch.verify = true;
  EXPECT_EQ(plan()[2], "outputs missing or changed");
  job.command.push_back("--max-influences=2");
  EXPECT_EQ(plan(), (Strings{"options changed", "options changed", "options changed"}));
}

TEST_F(Batch, FilesThatOptionsNameCountWithTheirContents) {
  writeText(path("joints.txt"), "joint1\njoint2\n");
  job.command = {"bind", "--method", "proximity", "--joints", path("joints.txt")};
  runJob();
  EXPECT_EQ(plan(), (Strings{"", "", ""}));
  writeText(path("joints.txt"), "joint1\n");
  EXPECT_EQ(plan(), (Strings{"options changed", "options changed", "options changed"}));
}

TEST_F(Batch, BuffersBesideTextFilesCount) {
  ASSERT_EQ(
      runProgram({SKINCELLS_PROGRAM, "bind", path("in/a.glb"), "-o", path("in/t.gltf"), "--method", "proximity"}).code,
      0);
  job.inputs = {path("in/t.gltf")};
  runJob();
  EXPECT_EQ(plan(), (Strings{""}));
  std::string bytes = readText(path("in/t.bin"));
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  writeText(path("in/t.bin"), bytes);
  EXPECT_EQ(plan(), (Strings{"input changed"}));
}

TEST_F(Batch, AnUnreadableFileIsOneFailure) {
  writeText(path("in/b.glb"), "no character");
  EXPECT_EQ(onlyFailure("b").error, "invalid_file");
}

TEST_F(Batch, AMissingFileIsOneFailure) {
  writeText(path("list.jsonl"), "in/a.glb\n\n{\"input\": \"in/nowhere.glb\"}\nin/b.glb\n");
  job.inputs = {path("list.jsonl")};
  EXPECT_EQ(onlyFailure("nowhere").error, "file_not_found");
}

TEST_F(Batch, AHangIsOneFailure) {
  replaceProgramFor("b", "sleep 1000");
  job.batch.time_limit = 3;
  const BatchLine line = onlyFailure("b");
  EXPECT_EQ(line.error, "time_limit");
  EXPECT_GE(line.seconds, 3);
  EXPECT_LT(line.seconds, 30);
}

TEST_F(Batch, TooMuchMemoryIsOneFailure) {
  replaceProgramFor("b", "exec tail -n 1 /dev/zero"); // looks for a line end, in memory
  job.batch.memory_limit = 400;
  EXPECT_EQ(onlyFailure("b").error, "memory_limit");
}

// As the program that reads foreign formats.
TEST_F(Batch, TheMemoryOfAWorkersChildrenCounts) {
  replaceProgramFor("b", "tail -n 1 /dev/zero; exit 2");
  job.batch.memory_limit = 400;
  EXPECT_EQ(onlyFailure("b").error, "memory_limit");
}

TEST_F(Batch, ACrashIsOneFailure) {
  replaceProgramFor("b", "kill -SEGV $$");
  const BatchLine line = onlyFailure("b");
  EXPECT_EQ(line.error, "crash");
  EXPECT_NE(line.message.find("signal 11"), std::string::npos) << line.message;
}

TEST_F(Batch, FailedItemsAreRunAgain) {
  replaceProgramFor("b", "kill -SEGV $$");
  onlyFailure("b");
  EXPECT_EQ(plan(), (Strings{"", "failed", ""}));
  const std::string program = job.program;
  job.program = SKINCELLS_PROGRAM; // another version: all are run again, unless only failures are wanted
  EXPECT_EQ(plan()[0], "version changed");
  job.batch.retry = BatchRetry::Failed;
  EXPECT_EQ(plan(), (Strings{"", "failed", ""}));
  const BatchOutcome outcome = runJob();
  EXPECT_EQ(outcome.counts.ran, 1U);
  EXPECT_EQ(outcome.counts.done, 3U);
}

TEST_F(Batch, WhatIsKeptMustBeThere) {
  runJob();
  fs::remove(path("out/items/b/b.glb"));
  for (const BatchRetry retry : {BatchRetry::Failed, BatchRetry::Bad}) {
    job.batch.retry = retry;
    EXPECT_EQ(plan(), (Strings{"", "outputs missing or changed", ""}));
  }
}

TEST_F(Batch, AFullDiskEndsTheRun) {
  replaceProgramFor("b", "ulimit -f 0");
  const auto outcome = run(job);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::CannotWrite);
  // Nor was there room for the message of the worker.
  EXPECT_NE(outcome.error().message.find("is the disk full?"), std::string::npos) << outcome.error().text();
  job.program = SKINCELLS_PROGRAM;
  EXPECT_EQ(runJob().counts.done, 3U);
  EXPECT_TRUE(leftovers().empty());
}

// Else the item would count as done, without its picture.
TEST_F(Batch, NoRoomForAPictureEndsTheRun) {
  job.batch.thumbnails = true;
  writeText(path("worker.sh"),
            "#!/bin/sh\ncase $1 in render) ulimit -f 0 ;; esac\nexec " + std::string(SKINCELLS_PROGRAM) + " \"$@\"\n");
  ::chmod(path("worker.sh").c_str(), 0755);
  job.program = path("worker.sh");
  const auto outcome = run(job);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(plan(), (Strings{"new", "new", "new"}));
}

TEST_F(Batch, WhatAKillLeftBehindIsRemoved) {
  fs::create_directories(path("out/.work/dead/0/out"));
  writeText(path("out/.skincells-0123456789abcdef.tmp"), "half a file");
  writeText(path("out/.notes"), "of somebody else");
  runJob();
  EXPECT_TRUE(leftovers().empty());
  EXPECT_TRUE(fs::exists(path("out/.notes")));
}

TEST_F(Batch, AGateThatFailsKeepsTheReport) {
  job.command = {"check", "--max-influences", "1"};
  ASSERT_EQ(
      runProgram({SKINCELLS_PROGRAM, "bind", path("in/a.glb"), "-o", path("skinned.glb"), "--method", "proximity"})
          .code,
      0);
  job.inputs = {path("skinned.glb")};
  const BatchOutcome outcome = runJob();
  ASSERT_EQ(outcome.counts.failed, 1U);
  EXPECT_EQ(outcome.lines[0].error, "quality_gate");
  EXPECT_EQ(outcome.lines[0].warnings, Strings{"weights.too_many_influences"});
  EXPECT_TRUE(fs::exists(path("out/items/skinned/report.json")));
}

TEST_F(Batch, StopsAndGoesOn) {
  for (int i = 0; i < 12; ++i) makeCharacter("more" + std::to_string(i), 4);
  std::atomic<bool> stop = false;
  auto outcome = run(
      job, [&](const BatchCounts& counts) { stop = counts.ran >= 1; }, &stop);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->was_stopped, !outcome->missing.empty());
  EXPECT_TRUE(leftovers().empty());
  const BatchOutcome rest = runJob();
  EXPECT_EQ(rest.counts.ran, outcome->missing.size());
  EXPECT_EQ(rest.counts.done, 15U);
}

TEST_F(Batch, SurvivesKillsAtAnyMoment) {
  for (int i = 0; i < 20; ++i) makeCharacter("more" + std::to_string(i), 4);
  const Strings words{SKINCELLS_PROGRAM, "batch", path("in"), "-o",   path("out"), "--quiet",  "--workers", "2",
                      "--thumbnails",    "false", "--",       "bind", "--method",  "proximity"};
  for (int i = 0; i < 8; ++i) signalProgram(words, SIGKILL, std::chrono::milliseconds(20 + 37 * i));
  EXPECT_EQ(runProgram(words).code, 0);
  const auto resumed = characters();
  EXPECT_EQ(resumed.size(), 23U);
  EXPECT_TRUE(leftovers().empty());
  job.output = path("whole");
  job.batch.workers = 1;
  runJob();
  EXPECT_EQ(characters("whole"), resumed);
}

TEST_F(Batch, ALineThatIsCutOffIsIgnored) {
  runJob();
  std::string lines = readText(path("out/batch.jsonl"));
  writeText(path("out/batch.jsonl"), lines.substr(0, lines.size() - 40));
  EXPECT_EQ(plan(), (Strings{"", "", "new"}));
  EXPECT_EQ(runJob().counts.ran, 1U);
  EXPECT_EQ(plan(), (Strings{"", "", ""}));
}

TEST_F(Batch, ShardsTogetherAreTheWhole) {
  runJob();
  const auto whole = characters();
  job.output = path("shards");
  for (const int index : {1, 0, 1}) { // the second shard twice
    job.shard = BatchShard{index, 2};
    runJob();
  }
  EXPECT_FALSE(fs::exists(path("shards/batch.jsonl")));
  job.shard.reset();
  const auto merged = mergeBatch(job);
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->counts.done, 3U);
  EXPECT_TRUE(merged->missing.empty());
  EXPECT_EQ(characters("shards"), whole);
  EXPECT_FALSE(fs::exists(path("shards/lines")));
  EXPECT_EQ(runJob().counts.ran, 0U);
}

TEST_F(Batch, ATaskMayRunTwiceAtTheSameTime) {
  for (int i = 0; i < 8; ++i) makeCharacter("more" + std::to_string(i), 4);
  runJob();
  const auto whole = characters();
  job.output = path("twice");
  job.shard = BatchShard{0, 1};
  std::thread other([&] { runJob(); });
  runJob();
  other.join();
  job.shard.reset();
  const auto merged = mergeBatch(job);
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->counts.done, 11U);
  EXPECT_EQ(characters("twice"), whole);
  EXPECT_EQ(runJob().counts.ran, 0U);
}

TEST_F(Batch, MergingNamesWhatWasNotRun) {
  job.shard = BatchShard{0, 2};
  runJob();
  job.shard.reset();
  const auto merged = mergeBatch(job);
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->missing, Strings{"b"});
}

TEST_F(Batch, OneAtATime) {
  replaceProgramFor("b", "touch " + path("started") + "; sleep 5");
  std::atomic<bool> stop = false;
  std::thread first([&] { (void)run(job, {}, &stop); });
  while (!fs::exists(path("started"))) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const auto second = run(job);
  stop = true;
  first.join();
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("another batch"), std::string::npos);
}

TEST(BatchShards, AreParsed) {
  ASSERT_TRUE(parseShard("3/20"));
  EXPECT_EQ(parseShard("3/20")->index, 3);
  EXPECT_EQ(parseShard("3/20")->count, 20);
  for (const char* bad : {"", "3", "20/20", "-1/20", "a/b", "1/0", "1/2x"}) EXPECT_FALSE(parseShard(bad)) << bad;
}

TEST(BatchShards, ComeFromTheEnvironment) {
  for (const char* name : {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"}) {
    EXPECT_FALSE(shardOfEnvironment(4));
    ::setenv(name, "3", 1);
    const auto shard = shardOfEnvironment(4), beyond = shardOfEnvironment(3);
    ::unsetenv(name);
    ASSERT_TRUE(shard) << name;
    EXPECT_EQ(shard->index, 3);
    EXPECT_FALSE(beyond);
  }
}

TEST(BatchLines, ComeBack) {
  BatchLine line;
  line.item = "sub/\"hero\"\n";
  line.is_done = true;
  line.verdict = "look at it";
  line.worst_pose = "pose 3, stretch 0.104";
  line.warnings = {"one", "two"};
  line.outputs = {{"hero.glb", 12, "abc"}};
  line.seconds = 1.5;
  const std::string text = batch::textOf(line);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
  const auto back = batch::parseLine(text);
  ASSERT_TRUE(back);
  EXPECT_EQ(batch::textOf(*back), text);
  for (std::size_t n = 0; n + 2 < text.size(); n += 7) EXPECT_FALSE(batch::parseLine(text.substr(0, n))) << n;
}

TEST(BatchTable, IsSafeForSpreadsheets) {
  BatchLine line;
  line.item = "=1+1";
  line.message = "a \"word\", and more";
  EXPECT_NE(batchTable({line}).find("\"'=1+1\""), std::string::npos);
  EXPECT_NE(batchTable({line}).find("\"a \"\"word\"\", and more\""), std::string::npos);
  EXPECT_EQ(std::ranges::count(batchTable({}), '\n'), 1);
}

class SharedSkeletons : public Batch {
protected:
  SharedSkeletons() {
    for (const char* name : {"first", "second", "third"}) makeCharacter(name, 6);
    makeCharacter("other", 7);
    job.command = {"bind", "--quality", "draft"};
    job.batch.share_skeletons = true;
  }
  nlohmann::json report(const std::string& item) const {
    return nlohmann::json::parse(readText(path("out/items/" + item + "/report.json")));
  }
  std::string startOf(const std::string& item) const { return report(item)["options"].value("start", ""); }
  std::string field(const std::string& item) const { return path("out/items/" + item + "/field.skc"); }
  // The tube, so many times as thick.
  void makeWide(const std::string& name, float factor, bool with_clip = false) const {
    TubeDocument tube(6);
    std::vector<Vec3f> positions;
    for (const Vec3f& p : tube.parts.mesh.positions) positions.push_back({p.x * factor, p.y, p.z * factor});
    tube.attributes()["POSITION"] = tube.positions(positions);
    if (with_clip) {
      const int times = tube.data(std::vector<float>{0, 1}, "SCALAR");
      const int turns = tube.data(std::vector<float>{0, 0, 0, 1, 0.6F, 0, 0, 0.8F}, "VEC4");
      tube.add("animations", {{"samplers", {{{"input", times}, {"output", turns}}}},
                              {"channels", {{{"sampler", 0}, {"target", {{"node", 3}, {"path", "rotation"}}}}}}});
    }
    writeBytes(path("in/" + name + ".glb"), tube.glb());
  }
};

TEST_F(SharedSkeletons, OthersStartFromAFieldBeforeThem) {
  EXPECT_EQ(runJob().counts.done, 7U);
  EXPECT_TRUE(fs::exists(field("first")));
  EXPECT_FALSE(fs::exists(field("other"))); // has no company
  EXPECT_FALSE(fs::exists(field("third"))); // nobody comes after it
  EXPECT_EQ(startOf("first"), "");
  EXPECT_EQ(startOf("second"), field("first"));
  EXPECT_EQ(startOf("third"), field("first")); // as near as the second, and before it
  const auto steps = [&](const char* item) { return report(item)["loss_curves"]["fit"]["loss"].size(); };
  EXPECT_LT(steps("second"), steps("first"));
  EXPECT_EQ(report("second")["options"]["same-shape"], true);
  EXPECT_EQ(runJob().counts.ran, 0U);
  EXPECT_EQ(planBatch(job)->front().item.name, "a");

  // The same for any number of workers, and after an interruption.
  const auto expected = characters();
  job.output = path("again");
  job.batch.workers = 1;
  std::atomic<bool> stop = false;
  const auto stop_soon = [&](const BatchCounts& counts) { stop = counts.ran > 2; };
  ASSERT_TRUE(run(job, stop_soon, &stop));
  EXPECT_EQ(runJob().counts.done, 7U);
  EXPECT_EQ(characters("again"), expected);
}

TEST_F(SharedSkeletons, OthersStartFromTheNearestOne) {
  fs::remove_all(path("in"));
  fs::create_directories(path("in"));
  makeWide("a", 1);
  makeWide("b", 1.5F);
  makeWide("c", 1.45F);
  makeWide("d", 1.05F);
  makeWide("e", 1.4F);
  EXPECT_EQ(runJob().counts.done, 5U);
  EXPECT_EQ(startOf("b"), field("a"));
  EXPECT_EQ(startOf("c"), field("b"));
  EXPECT_EQ(startOf("d"), field("a"));
  EXPECT_EQ(startOf("e"), field("c"));
  EXPECT_FALSE(report("b")["options"].contains("same-shape"));
  for (const char* item : {"a", "b", "c", "d", "e"}) EXPECT_EQ(report(item)["verdict"]["grade"], "good") << item;
  // What the nearest one looks like decides, too: only from good skins.
  std::string lines = readText(path("out/batch.jsonl"));
  const std::string good = R"("verdict":"good")";
  const std::size_t line_of_c = lines.find(R"("item":"c")");
  ASSERT_NE(line_of_c, std::string::npos);
  ASSERT_NE(lines.find(good, line_of_c), std::string::npos);
  lines.replace(lines.find(good, line_of_c), good.size(), R"("verdict":"bad")");
  writeText(path("out/batch.jsonl"), lines);
  EXPECT_EQ(plan(), (Strings{"", "", "", "", "options changed"}));
  EXPECT_EQ(planBatch(job)->back().item.start, field("b"));
}

TEST_F(SharedSkeletons, ShareJointsAndRanges) {
  fs::remove_all(path("in"));
  fs::create_directories(path("in"));
  makeWide("a", 1, true);
  makeWide("b", 1.1F);
  job.command = {"bind", "--quality", "draft", "--rom", "clips", "--drop-joints", "joint5"};
  EXPECT_EQ(runJob().counts.done, 2U);
  ASSERT_EQ(startOf("b"), field("a"));
  const auto a = report("a")["joints"], b = report("b")["joints"];
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) {
    EXPECT_EQ(a[j]["deforms"], b[j]["deforms"]);
    for (const char* limits : {"swing_degrees", "twist_degrees"})
      EXPECT_EQ(a[j]["range"][limits], b[j]["range"][limits]) << j;
  }
  EXPECT_EQ(a[2]["range"]["source"], "clip"); // that b does not have
  EXPECT_EQ(b[2]["range"]["source"], "rom-file");
  EXPECT_EQ(runJob().counts.ran, 0U);
}

TEST_F(SharedSkeletons, WhatDoesNotWorkSharedIsBoundAlone) {
  job.batch.share_skeletons = false;
  runJob();
  const auto alone = characters();
  job.batch.share_skeletons = true;
  job.output = path("shared");
  writeText(path("worker.sh"),
            "#!/bin/sh\ncase \"$*\" in *--start*) kill -SEGV $$ ;; *--field*) exit 2 ;; esac\nexec " +
                std::string(SKINCELLS_PROGRAM) + " \"$@\"\n");
  ::chmod(path("worker.sh").c_str(), 0755);
  job.program = path("worker.sh");
  EXPECT_EQ(runJob().counts.done, 7U);
  EXPECT_EQ(characters("shared"), alone);
}

TEST_F(SharedSkeletons, OnlyForBinds) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"inspect"}, {"bind", "--field", "x.skc"}}) {
    job.command = command;
    const auto outcome = run(job);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().where, "--share-skeletons");
  }
}

} // namespace
} // namespace skincells::test
