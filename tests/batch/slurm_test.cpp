// The scripts of an array job, with programs in the place of Slurm's.
#include <cstdlib>

#include <sys/stat.h>

#include "cli/cli_test.h"
#include "support/gltf_builder.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

using Strings = std::vector<std::string>;

class Slurm : public CliTest {
protected:
  Slurm() {
    fs::create_directories(path("it's in"));
    for (const char* name : {"a", "b", "c", "d", "e"})
      writeBytes(path("it's in/" + std::string(name) + ".glb"), TubeDocument(4).glb());
    fs::create_directories(path("bin"));
    // Runs every task of an array at once, one after the other.
    writeText(path("bin/sbatch"), "#!/bin/bash\necho \"$@\" >> " + path("calls") +
                                      "\nscript=${@: -1}\n"
                                      "tasks=$(sed -n 's/^#SBATCH --array=\"0-\\(.*\\)\"/\\1/p' $script)\n"
                                      "for i in $(seq 0 ${tasks:-0}); do SLURM_ARRAY_TASK_ID=$i bash $script >&2 || "
                                      "true; done\necho 7${#script}\n");
    ::chmod(path("bin/sbatch").c_str(), 0755);
  }
  ProgramResult slurm(const Strings& more) const {
    Strings words{"env",
                  "PATH=" + path("bin") + ":" + std::getenv("PATH"),
                  SKINCELLS_PROGRAM,
                  "batch",
                  path("it's in"),
                  "-o",
                  path("out folder"),
                  "--slurm"};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", "bind", "--method", "proximity"});
    return runProgram(words);
  }
};

TEST_F(Slurm, WritesScripts) {
  const ProgramResult r = slurm({"--shards", "2", "--time", "1:00:00", "--mem", "4G", "--partition", "farm",
                                 "--workers", "3", "--sbatch-option=--account=films", "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(documentIn(r.out)["tasks"], 2);
  const std::string script = readText(path("out folder/slurm/array.sh"));
  for (const char* wanted : {"--array=\"0-1\"", "--time=\"1:00:00\"", "--mem=\"4G\"", "--partition=\"farm\"",
                             "--cpus-per-task=\"3\"", "#SBATCH --account=films", "--shards 2", "--requeue"})
    EXPECT_NE(script.find(wanted), std::string::npos) << wanted << "\n" << script;
  EXPECT_FALSE(fs::exists(path("calls")));
  EXPECT_FALSE(fs::exists(path("out folder/items")));
}

TEST_F(Slurm, WorkersGetTheirProcessors) {
  ASSERT_EQ(slurm({"--threads", "4"}).code, 0);
  const std::string script = readText(path("out folder/slurm/array.sh"));
  EXPECT_NE(script.find("--cpus-per-task=\"4\""), std::string::npos) << script;
  // Without --workers, as many as the task's processors allow.
  const auto workersWith = [&](const std::string& processors) {
    const std::size_t start = script.find("--workers ") + 10;
    const std::string word = script.substr(start, script.find(" --", start) - start);
    return runProgram({"env", "SLURM_CPUS_PER_TASK=" + processors, "bash", "-c", "echo " + word}).out;
  };
  EXPECT_EQ(workersWith("8"), "2\n");
  EXPECT_EQ(workersWith("2"), "1\n");
}

TEST_F(Slurm, NoMoreTasksThanItems) {
  const ProgramResult r = slurm({"--shards", "100", "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(documentIn(r.out)["tasks"], 5);
  EXPECT_EQ(documentIn(slurm({"--json"}).out)["tasks"], 1); // few items: one task
}

TEST_F(Slurm, SubmittedTasksDoTheWork) {
  const ProgramResult r = slurm({"--shards", "3", "--submit", "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(documentIn(r.out)["job_ids"], "78 78");
  EXPECT_NE(readText(path("calls")).find("--dependency=afterany:78 merge.sh"), std::string::npos);
  EXPECT_TRUE(fs::exists(path("out folder/index.html"))) << readText(path("out folder/slurm/log/submit_errors.txt"));
  for (const char* name : {"a", "e"})
    EXPECT_TRUE(fs::exists(path("out folder/items/") + name + "/" + name + ".glb")) << name;
}

TEST_F(Slurm, ErrorsOfSbatchAreShown) {
  writeText(path("bin/sbatch"), "#!/bin/bash\necho 'invalid partition' >&2\nexit 1\n");
  const ProgramResult r = slurm({"--submit"});
  EXPECT_EQ(r.code, 4);
  EXPECT_NE(r.err.find("invalid partition"), std::string::npos) << r.err;
  EXPECT_EQ(slurm({"--sbatch-option=account"}).code, 1);
  EXPECT_EQ(slurm({"--partition", "a\nb"}).code, 1);
}

} // namespace
} // namespace skincells::test
