#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <set>

#include <unistd.h>

#include "commands.h"
#include "skincells/viz/batch_pages_job.h"

namespace skincells::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct BatchCommand {
  CommonOptions common;
  BatchPagesJob job;
  std::vector<std::string> words; // after "--"
  std::string shard;
  int shards = 0;
  bool dry_run = false, slurm = false, submit = false;
  SlurmOptions slurm_options;
};

std::atomic<bool> stop = false;
volatile std::sig_atomic_t stop_signal = 0;

void stopOnSignals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    std::signal(signal, [](int number) {
      stop_signal = number;
      stop = true;
    });
  }
}

// "120 of 2000 done, 3 failed, 4.1 per second, about 460 s left"
std::string progressText(const BatchCounts& counts) {
  char text[160];
  std::snprintf(text, sizeof text, "%zu of %zu done, %zu failed", counts.done, counts.items, counts.failed);
  std::string line = text;
  if (counts.ran == 0) return line;
  std::snprintf(text, sizeof text, ", %.3g per second, about %.0f s left", counts.rate(), counts.secondsLeft());
  return line + text;
}

// Done, failed, rate and time left: one line that is rewritten on a terminal, and a new line now and then elsewhere.
class BatchPrinter {
public:
  explicit BatchPrinter(bool silent) : silent_(silent) {}
  ~BatchPrinter() {
    if (terminal_ && shown_) std::fputs("\r\033[K", stderr);
  }
  void show(const BatchCounts& counts) {
    constexpr auto kBetweenLines = std::chrono::seconds(30);
    const auto now = Clock::now();
    const bool is_due = terminal_ || (counts.ran > 0 && now - last_ >= kBetweenLines);
    if (silent_ || !is_due) return;
    last_ = now;
    shown_ = true;
    std::fprintf(stderr, "%s%s%s", terminal_ ? "\r\033[K" : "", progressText(counts).c_str(), terminal_ ? "" : "\n");
    std::fflush(stderr);
  }

private:
  bool silent_;
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
  Clock::time_point last_ = Clock::now();
};

// Options that the batch gives to each item itself.
bool isOfBatch(const std::string& name) {
  return name.starts_with("-o") || name == "--output" || name == "--threads" || name == "--memory-limit";
}

Result<void> checkOptions(const std::vector<std::string>& command, const std::vector<std::string>& more) {
  std::vector<std::string> words = withOptions(command, more);
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (isOfBatch(name))
      return Error{ErrorCode::InvalidOption,
                   "the batch gives it to every item; leave it out of the command (the batch has -o, --threads and "
                   "--memory-limit, too)",
                   name};
  }
  words.insert(words.end(), {"(the character, which the batch adds)", "--json", "--threads", "1"});
  const bool writes = command.front() != "check" && command.front() != "inspect";
  if (writes) words.insert(words.end(), {"-o", "output"});
  return checkWords(allCommands(), words);
}

// The command and its options, those of single items too, are checked before the first item is run.
Result<void> checkOptions(const BatchJob& job) {
  auto items = batchItems(job);
  if (!items) return items.error();
  std::set<std::vector<std::string>> checked;
  for (const BatchItem& item : *items) {
    if (!checked.insert(item.options).second) continue;
    auto valid = checkOptions(job.command, item.options);
    if (valid) continue;
    if (item.options.empty() || !checkOptions(job.command, {})) return valid.error();
    return Error{valid.error().code, valid.error().text(), item.where};
  }
  return {};
}

Result<Printed> printPlan(const BatchJob& job) {
  auto plan = planBatch(job);
  if (!plan) return plan.error();
  return Printed{documentOf(*plan)};
}

Result<Printed> makeScripts(const BatchCommand& command) {
  SlurmOptions options = command.slurm_options;
  options.shards = command.shards;
  auto outcome = makeSlurmJob(command.job.batch, options, command.submit);
  if (!outcome) return outcome.error();
  return Printed{documentOf(*outcome)};
}

Result<Printed> runBatch(BatchCommand& command, OutputSet& outputs) {
  BatchJob& job = command.job.batch;
  if (!command.words.empty()) {
    auto words = withoutOptionFiles(allCommands(), command.words);
    if (!words) return words.error();
    job.command = *std::move(words);
  }
  if (std::ranges::count(job.inputs, "-") > 0) job.manifest.assign(std::istreambuf_iterator<char>(std::cin), {});
  if (!command.shard.empty()) {
    auto shard = parseShard(command.shard);
    if (!shard) return shard.error();
    job.shard = *shard;
  } else if (command.shards > 0 && !command.slurm) {
    auto shard = shardOfEnvironment(command.shards);
    if (!shard) return shard.error();
    job.shard = *shard;
  }
  if (auto valid = checkOptions(job); !valid) return valid.error();
  if (command.dry_run) return printPlan(job);
  if (command.slurm) return makeScripts(command);
  stopOnSignals();
  BatchPrinter printer(command.common.silent());
  auto outcome = run(
      command.job, outputs, [&](const BatchCounts& counts) { printer.show(counts); }, &stop);
  if (!outcome) return outcome.error();
  const bool failed = outcome->counts.failed > 0 || !outcome->missing.empty();
  return Printed{documentOf(*outcome), failed ? kItemsFailed : kDone};
}

} // namespace

Run setUpBatch(CommandOptions& options) {
  auto command = std::make_shared<BatchCommand>();
  BatchJob& job = command->job.batch;
  options
      .texts(
          "input", job.inputs,
          "character files, folders, patterns ('in/**/*.glb') and manifests (.jsonl, or - for standard input); after "
          "--, the command to run and its options: -- bind --quality draft [default: bind]")
      .required();
  options.text("-o,--output", job.output, "the folder for all results", "FOLDER").required();
  options.table(batchOptionTable(), job.batch);
  options.flag("--dry-run", command->dry_run, "only list what would be run, and why [default: off]");
  const auto shard =
      options.text("--shard", command->shard,
                   "run only a part of the items: INDEX/COUNT, with an index from 0 [default: all]", "PART");
  const auto shards =
      options.integer("--shards", command->shards, 1, 1000000,
                      "run the part of this task of an array job with so many tasks (Slurm, Kubernetes, AWS Batch)");
  shards.excludes(shard);
  options.flag("--merge", command->job.merge, "only put the results of shards together [default: off]")
      .excludes(shard)
      .excludes(shards);
  const auto slurm = options.flag("--slurm", command->slurm,
                                  "run nothing: write the scripts of an array job, with --shards tasks (default: one "
                                  "for every 50 items) [default: off]");
  options.flag("--submit", command->submit, "also submit them with sbatch [default: off]").needs(slurm);
  options.table(slurmOptionTable(), command->slurm_options);
  options.repeated("--sbatch-option", command->slurm_options.sbatch_options,
                   "one more option of sbatch, as --sbatch-option=--account=films; again for the next [default: none]");
  options.document(command->common);
  options.rest(command->words);
  return [command] {
    const int code = runCommand(command->common, {}, [&](OutputSet& outputs) { return runBatch(*command, outputs); });
    if (stop_signal != 0) {
      std::signal(stop_signal, SIG_DFL);
      std::raise(stop_signal);
    }
    return code;
  };
}

} // namespace skincells::cli
