#include <algorithm>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include "base/read_file.h"
#include "base/try.h"
#include "batch/hashes.h"
#include "io/child_process.h"
#include "skincells/batch.h"
#include "skincells/io/output_set.h"
#include "text/printable.h"
#include "text/split.h"

namespace fs = std::filesystem;

namespace skincells {
namespace {

constexpr std::size_t kItemsPerTask = 50;
constexpr int kMostTasks = 1000; // Slurm allows 1001 unless its administrator says otherwise
constexpr double kSubmitSeconds = 60;

// As a word of a shell script.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string directive(const std::string& name, const std::string& value) {
  return value.empty() ? std::string() : "#SBATCH --" + name + "=\"" + value + "\"\n";
}

// Text that would end a line or a quoted value of a script.
Result<void> checkValue(const std::string& name, const std::string& value) {
  if (value.find_first_of("\n\r\"\\") == std::string::npos) return {};
  return Error{ErrorCode::InvalidOption, "has a quote, a backslash or a line end, which sbatch cannot take", name};
}

// The program with the options of the batch that are not defaults, without the command after "--".
std::string batchWords(const BatchJob& job, const std::string& program, const std::string& folder) {
  std::string words = quoted(program) + " batch " + quoted(folder + "/slurm/manifest.jsonl") + " -o " + quoted(folder);
  for (const auto& option : batchOptionTable()) {
    const std::string value = option.get(job.batch);
    if (value == option.default_text) continue;
    words += " --" + option.name + (option.kind == OptionKind::Flag ? "" : " " + quoted(value));
  }
  return words;
}

std::string commandWords(const BatchJob& job) {
  std::string words = " --";
  for (const std::string& word : job.command) words += " " + quoted(batch::resolvedWord(word));
  return words;
}

std::string heading(const std::string& name, const SlurmOptions& options, const std::string& log) {
  std::string out = "#!/bin/bash\n" + directive("job-name", name) + directive("output", log) +
                    "#SBATCH --open-mode=append\n" + directive("time", options.time) +
                    directive("partition", options.partition);
  return out;
}

// Failed items are a result of the whole, which the merge reports. A task that was killed, e.g. for its memory, starts
// again and goes on where it ended.
constexpr const char* kTaskEnding = R"sh(
code=$?
if [ $code -eq 6 ]; then exit 0; fi
if [ $code -ge 128 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then scontrol requeue "$SLURM_JOB_ID" && sleep 60; fi
exit $code
)sh";

std::string arrayScript(const BatchJob& job, const SlurmOptions& options, const std::string& program,
                        const std::string& folder, int shards) {
  std::string out = heading("skincells", options, folder + "/slurm/log/%a.txt") +
                    directive("array", "0-" + std::to_string(shards - 1)) + directive("mem", options.mem) +
                    "#SBATCH --requeue\n";
  const int threads = job.batch.threads;
  if (job.batch.workers > 0 || threads > 1)
    out += directive("cpus-per-task", std::to_string(std::max(1, job.batch.workers) * threads));
  for (const std::string& option : options.sbatch_options) out += "#SBATCH " + option + "\n";
  out += "cd " + quoted(fs::current_path().string()) + "\n" + batchWords(job, program, folder) + " --shards " +
         std::to_string(shards) + " --quiet";
  // What the machine has is not what the task may use.
  if (job.batch.workers == 0) {
    const std::string t = std::to_string(threads);
    out += " --workers \"$(((${SLURM_CPUS_PER_TASK:-1} + " + t + " - 1) / " + t + "))\"";
  }
  return out + commandWords(job) + kTaskEnding;
}

std::string mergeScript(const BatchJob& job, const SlurmOptions& options, const std::string& program,
                        const std::string& folder) {
  std::string out = heading("skincells-merge", options, folder + "/slurm/log/merge.txt");
  for (const std::string& option : options.sbatch_options)
    if (option.find("cpus-per-task") == std::string::npos && option.find("array") == std::string::npos)
      out += "#SBATCH " + option + "\n";
  return out + "cd " + quoted(fs::current_path().string()) + "\nexec " + batchWords(job, program, folder) + " --merge" +
         commandWords(job) + "\n";
}

constexpr const char* kSubmitScript = R"sh(#!/bin/bash
# Submits the array, and the merge after all of its tasks. Prints the numbers of both jobs.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p log
array=$(sbatch --parsable array.sh)
array=${array%%;*}
merge=$(sbatch --parsable --dependency="afterany:$array" merge.sh)
echo "$array ${merge%%;*}"
)sh";

Result<std::string> submitScripts(const fs::path& folder) {
  const std::string out = (folder / "log/submit.txt").string(), errors = (folder / "log/submit_errors.txt").string();
  std::error_code ignored;
  fs::create_directories(folder / "log", ignored);
  io::ChildLimits limits;
  limits.wall_seconds = kSubmitSeconds;
  const io::ChildOutcome outcome = io::runChild({"/bin/bash", {(folder / "submit.sh").string()}, errors, out}, limits);
  const auto read = [](const std::string& path) {
    const auto bytes = readFile(path);
    return bytes ? text::printable(text::trimmed(std::string(bytes->begin(), bytes->end()))) : std::string();
  };
  if (outcome.kind == io::ChildOutcome::Kind::Exited && outcome.value == 0) return read(out);
  return Error{ErrorCode::CannotWrite, "the job could not be submitted: " + read(errors), "sbatch"};
}

} // namespace

const OptionTable<SlurmOptions>& slurmOptionTable() {
  using O = SlurmOptions;
  static const OptionTable<O> table{
      options::text("time", &O::time, "as for sbatch: 4:00:00", "time limit of a task of --slurm"),
      options::text("mem", &O::mem, "as for sbatch: 8G", "memory of a task of --slurm"),
      options::text("partition", &O::partition, "as for sbatch", "partition for --slurm"),
  };
  return table;
}

Result<SlurmOutcome> makeSlurmJob(const BatchJob& job, const SlurmOptions& options, bool submit) {
  SKINCELLS_TRY(items, batchItems(job));
  for (BatchItem& item : items)
    for (std::string& word : item.options) word = batch::resolvedWord(word);
  std::error_code error;
  SlurmOutcome outcome;
  outcome.job = job;
  outcome.items = items.size();
  const std::size_t wanted =
      options.shards > 0 ? static_cast<std::size_t>(options.shards)
                         : std::min<std::size_t>(kMostTasks, (items.size() + kItemsPerTask - 1) / kItemsPerTask);
  outcome.shards = static_cast<int>(std::min(wanted, items.size()));
  const std::string folder = fs::absolute(job.output, error).lexically_normal().string();
  const std::string program = job.program.empty() ? fs::read_symlink("/proc/self/exe", error).string() : job.program;
  SKINCELLS_CHECK(checkValue("-o", folder));
  SKINCELLS_CHECK(checkValue("--time", options.time));
  SKINCELLS_CHECK(checkValue("--mem", options.mem));
  SKINCELLS_CHECK(checkValue("--partition", options.partition));
  for (const std::string& option : options.sbatch_options) {
    SKINCELLS_CHECK(checkValue("--sbatch-option", option));
    if (!option.starts_with("-"))
      return Error{ErrorCode::InvalidOption,
                   "'" + option + "' is no option of sbatch; use --sbatch-option=--name=value", "--sbatch-option"};
  }
  outcome.folder = folder + "/slurm";
  fs::create_directories(outcome.folder, error);
  OutputSet outputs;
  SKINCELLS_CHECK(outputs.stage(outcome.folder + "/manifest.jsonl", batchManifest(items), true));
  SKINCELLS_CHECK(
      outputs.stage(outcome.folder + "/array.sh", arrayScript(job, options, program, folder, outcome.shards), true));
  SKINCELLS_CHECK(outputs.stage(outcome.folder + "/merge.sh", mergeScript(job, options, program, folder), true));
  SKINCELLS_CHECK(outputs.stage(outcome.folder + "/submit.sh", std::string_view(kSubmitScript), true));
  SKINCELLS_CHECK(outputs.commit());
  ::chmod((outcome.folder + "/submit.sh").c_str(), 0755);
  if (submit) {
    SKINCELLS_TRY(ids, submitScripts(outcome.folder));
    outcome.job_ids = std::move(ids);
  }
  return outcome;
}

} // namespace skincells
