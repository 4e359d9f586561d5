// The command `batch`: one command over many characters, in worker processes, that can be interrupted and resumed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/options.h"
#include "skincells/result.h"

namespace skincells {

// Which items of an earlier run are run again.
enum class BatchRetry {
  Changed, // those without a good result for this input, these options and this version
  Failed,  // only those that failed, whatever options the others were done with
  Bad,     // the same, and those with a bad verdict
};

struct BatchOptions {
  int workers = 0;         // processes at a time; 0: as many as there are processors for
  int threads = 1;         // of each worker
  double time_limit = 600; // of an item, seconds; 0: none
  int memory_limit = 0;    // of a worker and its children, megabytes; 0: none
  BatchRetry retry = BatchRetry::Changed;
  bool verify = false;    // compare the hashes of existing outputs, not only their sizes
  bool thumbnails = true; // a picture of the worst pose of each result
  bool pages = false;     // a report page of each result
  bool views = false;     // a viewer page of each result
  // Characters with the same skeleton start from the field of the nearest before them, which saves steps. Their bytes
  // then depend on which other characters there are. Only for `bind`.
  bool share_skeletons = false;
};
const OptionTable<BatchOptions>& batchOptionTable();

// Every `count`-th item, starting with number `index` (from 0).
struct BatchShard {
  int index = 0, count = 1;
  bool isWhole() const { return count == 1; }
};
// "3/20". The index is below the count.
Result<BatchShard> parseShard(std::string_view text);
// The shard of this task of an array job: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX (Kubernetes) or
// AWS_BATCH_JOB_ARRAY_INDEX.
Result<BatchShard> shardOfEnvironment(int count);

struct BatchJob {
  // Character files, folders, patterns and manifests (.jsonl; "-": the text in `manifest`). See docs/farm.md.
  std::vector<std::string> inputs;
  std::string manifest = "";
  std::string output = ""; // a folder
  // A command with one input and the options it is run with: {"bind", "--quality", "draft"}. The input of the item is
  // added as its last positional argument.
  std::vector<std::string> command = {"bind"};
  BatchOptions batch = {};
  // Given: only these items, without the files that sum up the whole. Several processes may run shards in one folder.
  std::optional<BatchShard> shard = std::nullopt;
  std::string program = ""; // the program `skincells`; empty: the running one
};

struct BatchItem {
  std::string name;                 // unique; its outputs are in OUT/items/NAME/
  std::string input;                // an absolute path
  std::vector<std::string> options; // "--name" or "--name=value", in place of those of the command
  std::string where = "";           // of the line of a manifest that gives options: "list.jsonl, line 3"
  // With share_skeletons:
  bool leads = false;      // others may start from its field
  std::string start = "";  // the field that it starts from; empty: none
  bool same_shape = false; // nearly, as the character of that field
};

// The items, sorted by name. Fails if there are none, a manifest is invalid, or two have the same name.
Result<std::vector<BatchItem>> batchItems(const BatchJob& job);
// The words of a command with more options, as in BatchItem, which replace those of the same name.
std::vector<std::string> withOptions(std::vector<std::string> command, const std::vector<std::string>& options);
// A manifest that has the same items in any folder, and from now on.
std::string batchManifest(const std::vector<BatchItem>& items);

struct BatchFile {
  std::string name; // in the folder of the item
  std::uint64_t bytes = 0;
  std::string sha256;
};

// The result of an item: a line of OUT/batch.jsonl.
struct BatchLine {
  std::string item, input;
  std::string input_sha256;          // of the file and, for .gltf, of the files that it refers to
  std::string options_sha256;        // of the command, its options and the files that these name
  std::string version;               // of the program, and the hash of its file
  bool is_done = false;              // else it failed
  std::string error;                 // code: an ErrorCode's name, or time_limit, memory_limit, crash, quality_gate, ...
  std::string message;               // of the error
  std::string verdict;               // "good", "look at it", "bad", or empty if the command gives none
  std::string reason;                // the worst finding of the verdict
  std::string worst_pose;            // that of the thumbnail: "pose 17, stretch 0.104"
  std::vector<std::string> warnings; // codes
  std::vector<BatchFile> outputs;
  double seconds = 0, cpu_seconds = 0;
  double memory_mb = 0; // most memory of a process
  double finished = 0;  // seconds since 1970
};

struct BatchCounts {
  std::size_t items = 0, done = 0, failed = 0; // of all; done and failed also by earlier runs
  std::size_t ran = 0;                         // by this run
  std::size_t to_run = 0;                      // by this run, from its start
  double seconds = 0;                          // of this run
  // Items per second, and seconds until the end; 0 if unknown.
  double rate() const { return seconds > 0 ? static_cast<double>(ran) / seconds : 0; }
  double secondsLeft() const { return ran > 0 ? static_cast<double>(to_run - ran) / rate() : 0; }
};

struct BatchOutcome {
  BatchJob job;
  BatchCounts counts;
  std::vector<BatchLine> lines;     // in the order of the items; those that were not run are missing
  std::vector<std::string> missing; // items without a line
  bool was_stopped = false;
};

// What a run would do with an item.
struct BatchPlan {
  BatchItem item;
  std::string reason; // why it is run: "new", "input changed", ...; empty: it is not
};
// Changes nothing on disk.
Result<std::vector<BatchPlan>> planBatch(const BatchJob& job);

using BatchProgress = std::function<void(const BatchCounts&)>;

// Runs the items and appends a line for each to OUT/batch.jsonl (of a shard: to a file of its own in OUT/lines). A
// failed item is a result; an error means that the run could not go on. stop: ends the run soon once it is true.
// At the end of a run that is not a shard, batch.jsonl has one line per item, in order.
Result<BatchOutcome> run(const BatchJob& job, const BatchProgress& progress = {},
                         const std::atomic<bool>* stop = nullptr);
// What the shards of a job have done: puts their lines into OUT/batch.jsonl.
Result<BatchOutcome> mergeBatch(const BatchJob& job);

// An array job of Slurm.
struct SlurmOptions {
  int shards = 0;        // tasks; 0: one for every 50 items, at most 1000
  std::string time = ""; // as for sbatch: limit of a task, "4:00:00"
  std::string mem = "";  // memory of a task, "8G"
  std::string partition = "";
  std::vector<std::string> sbatch_options = {}; // more of them: "--account=films"
};
const OptionTable<SlurmOptions>& slurmOptionTable(); // without shards and sbatch_options

struct SlurmOutcome {
  BatchJob job;
  std::size_t items = 0;
  int shards = 0;
  std::string folder;  // with submit.sh, array.sh, merge.sh and manifest.jsonl
  std::string job_ids; // of array and merge; empty: not submitted
};
// Writes the scripts to OUT/slurm: an array whose tasks run one shard each, and a job that merges the results after
// them. submit: also runs submit.sh, which needs `sbatch`.
Result<SlurmOutcome> makeSlurmJob(const BatchJob& job, const SlurmOptions& options, bool submit);

// The lines as a table (RFC 4180) with a heading.
std::string batchTable(const std::vector<BatchLine>& lines);

} // namespace skincells
