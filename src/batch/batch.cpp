#include "skincells/batch.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include <sched.h>

#include "base/parallel.h"
#include "base/try.h"
#include "batch/hashes.h"
#include "batch/sharing.h"
#include "batch/store.h"
#include "batch/worker.h"

namespace fs = std::filesystem;

namespace skincells {
namespace {

using namespace batch;
using Clock = std::chrono::steady_clock;

constexpr auto kProgressStep = std::chrono::milliseconds(200);
constexpr std::size_t kItemsPerChunk = 8;

// Processors that this process may use.
int processorCount() {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Result<void> checkJob(const BatchJob& job) {
  SKINCELLS_CHECK(options::validate(batchOptionTable(), job.batch));
  if (job.command.empty() || findCommand(job.command.front()) == nullptr)
    return Error{
        ErrorCode::InvalidOption,
        "'" + (job.command.empty() ? std::string() : job.command.front()) +
            "' cannot be run over many files; use one of its commands with one input, as bind, apply, lod or check",
        "batch"};
  if (job.batch.share_skeletons && job.command.front() != "bind")
    return Error{ErrorCode::InvalidOption, "only binds can share", "--share-skeletons"};
  if (job.batch.share_skeletons && std::ranges::any_of(job.command, [](const std::string& word) {
        return word.starts_with("--field") || word.starts_with("--start") || word == "--same-shape";
      }))
    return Error{ErrorCode::InvalidOption, "it gives --field, --start and --same-shape itself; leave them out",
                 "--share-skeletons"};
  return {};
}

Result<Work> prepare(const BatchJob& job, const Store& store) {
  Work work;
  std::error_code error;
  work.program = job.program.empty() ? fs::read_symlink("/proc/self/exe", error).string() : job.program;
  SKINCELLS_TRY(version, programVersion(work.program));
  work.version = std::move(version);
  for (const std::string& word : job.command) work.command.push_back(resolvedWord(word));
  work.options = job.batch;
  work.command_hash = commandHash(work);
  work.work_folder = store.workFolder();
  work.items_folder = store.itemsFolder();
  return work;
}

// Why the item must be run, or nothing.
std::string reasonToRun(const Work& work, const BatchItem& item, const LinesByItem& lines) {
  const auto found = lines.find(item.name);
  if (found == lines.end()) return "new";
  const BatchLine& line = found->second;
  const BatchRetry retry = work.options.retry;
  if (!line.is_done) return "failed";
  if (retry == BatchRetry::Bad && line.verdict == "bad") return "bad verdict";
  if (retry == BatchRetry::Changed) {
    if (line.version != work.version) return "version changed";
    if (line.options_sha256 != optionsHash(work, item)) return "options changed";
    if (line.input_sha256 != inputHash(item.input)) return "input changed";
  }
  if (!hasFiles((fs::path(work.items_folder) / item.name).string(), line.outputs, work.options.verify))
    return "outputs missing or changed";
  return "";
}

std::vector<BatchItem> itemsOfShard(std::vector<BatchItem> items, const std::optional<BatchShard>& shard) {
  if (!shard || shard->isWhole()) return items;
  std::vector<BatchItem> out;
  for (std::size_t i = static_cast<std::size_t>(shard->index); i < items.size();
       i += static_cast<std::size_t>(shard->count))
    out.push_back(std::move(items[i]));
  return out;
}

std::vector<BatchPlan> makePlan(const Work& work, std::vector<BatchItem> items, const LinesByItem& lines) {
  std::vector<BatchPlan> plan(items.size());
  parallelChunks(items.size(), kItemsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      for (std::string& word : items[i].options) word = resolvedWord(word);
      plan[i].reason = reasonToRun(work, items[i], lines);
      plan[i].item = std::move(items[i]);
    }
  });
  return plan;
}

// Worker threads, each of which runs one item after the other in processes.
class Pool {
public:
  Pool(const Work& work, Store& store, std::vector<const BatchItem*> queue, BatchCounts counts)
      : work_(work), store_(store), queue_(std::move(queue)), counts_(counts) {
    counts_.to_run = counts_.ran + queue_.size();
    seconds_before_ = counts_.seconds;
    work_.stop = &stop_;
  }

  Result<void> run(const BatchProgress& progress, const std::atomic<bool>* stop) {
    const int wanted = work_.options.workers > 0 ? work_.options.workers
                                                 : std::max(1, processorCount() / std::max(1, work_.options.threads));
    const int count = std::min(wanted, static_cast<int>(queue_.size()));
    std::vector<std::thread> threads;
    running_ = count;
    for (int slot = 0; slot < count; ++slot) threads.emplace_back([this, slot] { serve(slot); });
    {
      std::unique_lock guard(mutex_);
      while (running_ > 0) {
        changed_.wait_for(guard, kProgressStep);
        if (stop != nullptr && stop->load()) stop_ = true;
        counts_.seconds = seconds_before_ + std::chrono::duration<double>(Clock::now() - start_).count();
        if (progress) progress(counts_);
      }
    }
    for (std::thread& thread : threads) thread.join();
    if (error_) return *error_;
    return {};
  }

  const BatchCounts& counts() const { return counts_; }
  bool wasStopped() const { return counts_.ran < counts_.to_run; }

private:
  const BatchItem* next() {
    const std::lock_guard guard(mutex_);
    return stop_ || next_ == queue_.size() ? nullptr : queue_[next_++];
  }

  void serve(int slot) {
    while (const BatchItem* item = next()) {
      auto line = runItem(work_, *item, slot);
      Result<void> stored = line && *line ? store_.append(**line) : line ? Result<void>() : Result<void>(line.error());
      const std::lock_guard guard(mutex_);
      if (!stored) {
        if (!error_) error_ = stored.error();
        stop_ = true;
      } else if (*line) {
        ++counts_.ran;
        ++((*line)->is_done ? counts_.done : counts_.failed);
      }
    }
    const std::lock_guard guard(mutex_);
    --running_;
    changed_.notify_one();
  }

  Work work_;
  Store& store_;
  std::vector<const BatchItem*> queue_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> stop_ = false;
  std::size_t next_ = 0;
  int running_ = 0;
  BatchCounts counts_;        // with the mutex
  double seconds_before_ = 0; // of earlier rounds
  std::optional<Error> error_;
  const Clock::time_point start_ = Clock::now();
};

// The lines of the items, and of what earlier runs have done besides them.
void fillOutcome(const std::vector<std::string>& names, LinesByItem lines, BatchOutcome& outcome) {
  for (const std::string& name : names) {
    const auto found = lines.find(name);
    if (found == lines.end()) {
      outcome.missing.push_back(name);
      continue;
    }
    ++(found->second.is_done ? outcome.counts.done : outcome.counts.failed);
    outcome.lines.push_back(std::move(found->second));
  }
  outcome.counts.items = names.size();
}

// The file with the lines of all items that were ever done in this folder, sorted by name.
Result<LinesByItem> tidy(Store& store) {
  LinesByItem lines = store.lines();
  std::vector<const BatchLine*> sorted;
  for (const auto& [name, line] : lines) sorted.push_back(&line);
  SKINCELLS_CHECK(store.rewrite(sorted));
  return lines;
}

// Runs the items of a round that have to be run, and adds them to the counts.
Result<void> runRound(const Work& work, Store& store, const Company& company, std::vector<BatchItem> items,
                      const BatchProgress& progress, const std::atomic<bool>* stop, BatchOutcome& outcome) {
  const LinesByItem lines = store.lines();
  company.chooseStarts(lines, items);
  const std::vector<BatchPlan> plan = makePlan(work, std::move(items), lines);
  std::vector<const BatchItem*> queue;
  for (const BatchPlan& p : plan) {
    if (!p.reason.empty())
      queue.push_back(&p.item);
    else
      ++(lines.at(p.item.name).is_done ? outcome.counts.done : outcome.counts.failed);
  }
  Pool pool(work, store, std::move(queue), outcome.counts);
  SKINCELLS_CHECK(pool.run(progress, stop));
  outcome.was_stopped = pool.wasStopped();
  outcome.counts = pool.counts();
  return {};
}

std::vector<std::string> namesOf(const std::vector<BatchItem>& items) {
  std::vector<std::string> names;
  for (const BatchItem& item : items) names.push_back(item.name);
  return names;
}

} // namespace

const OptionTable<BatchOptions>& batchOptionTable() {
  using O = BatchOptions;
  static const OptionTable<O> table{
      options::integer("workers", &O::workers, 0, 1024,
                       "items at a time, each in a process; 0: processors divided by --threads"),
      options::integer("threads", &O::threads, 1, 1024, "threads of each worker"),
      options::real("time-limit", &O::time_limit, 0, 1e6, "seconds after which an item is stopped; 0: none"),
      options::integer("memory-limit", &O::memory_limit, 0, 1 << 24, "megabytes that a worker may use; 0: no limit"),
      options::choice<O, BatchRetry>(
          "retry", &O::retry,
          {{"changed", BatchRetry::Changed}, {"failed", BatchRetry::Failed}, {"bad", BatchRetry::Bad}},
          "what of an earlier run is run again; changed: items without a good result of this input, these options and "
          "this version; failed: new and failed items only; bad: those, and items with a bad verdict"),
      options::flag("verify", &O::verify, "compare the hashes of existing outputs, not only their sizes"),
      options::toggle("thumbnails", &O::thumbnails, "a picture of the worst pose of each result"),
      options::flag("pages", &O::pages, "a report page of each result"),
      options::flag("views", &O::views, "a viewer page of each result"),
      options::flag("share-skeletons", &O::share_skeletons,
                    "characters with the same skeleton start from the field of the most similar one before them; their "
                    "bytes then depend on which others there are"),
  };
  return table;
}

Result<std::vector<BatchPlan>> planBatch(const BatchJob& job) {
  SKINCELLS_CHECK(checkJob(job));
  SKINCELLS_TRY(store, Store::open(job.output, Store::Use::Look));
  SKINCELLS_TRY(work, prepare(job, store));
  SKINCELLS_TRY(items, batchItems(job));
  std::vector<BatchPlan> plan;
  const LinesByItem lines = store.lines();
  Company company(work, itemsOfShard(std::move(items), job.shard));
  for (std::vector<BatchItem>& round : company.rounds()) {
    company.chooseStarts(lines, round);
    std::ranges::move(makePlan(work, std::move(round), lines), std::back_inserter(plan));
  }
  std::ranges::sort(plan, {}, [](const BatchPlan& p) -> const std::string& { return p.item.name; });
  return plan;
}

Result<BatchOutcome> run(const BatchJob& job, const BatchProgress& progress, const std::atomic<bool>* stop) {
  SKINCELLS_TRY(items, batchItems(job));
  SKINCELLS_CHECK(checkJob(job));
  SKINCELLS_TRY(store, Store::open(job.output, job.shard ? Store::Use::Shard : Store::Use::Whole));
  SKINCELLS_TRY(work, prepare(job, store));
  items = itemsOfShard(std::move(items), job.shard);
  const std::vector<std::string> names = namesOf(items);
  BatchOutcome outcome;
  outcome.job = job;
  outcome.counts.items = names.size();
  Company company(work, std::move(items));
  for (std::vector<BatchItem>& round : company.rounds()) {
    if (outcome.was_stopped) break;
    SKINCELLS_CHECK(runRound(work, store, company, std::move(round), progress, stop, outcome));
  }
  outcome.counts.done = outcome.counts.failed = 0;
  if (job.shard) {
    fillOutcome(names, store.lines(), outcome);
    return outcome;
  }
  SKINCELLS_TRY(lines, tidy(store));
  fillOutcome(names, std::move(lines), outcome);
  return outcome;
}

Result<BatchOutcome> mergeBatch(const BatchJob& job) {
  SKINCELLS_TRY(items, batchItems(job));
  SKINCELLS_TRY(store, Store::open(job.output, Store::Use::Whole));
  SKINCELLS_TRY(lines, tidy(store));
  BatchOutcome outcome;
  outcome.job = job;
  fillOutcome(namesOf(items), std::move(lines), outcome);
  return outcome;
}

} // namespace skincells
