// The command `batch` with the files that sum it up.
#pragma once

#include <string>

#include "skincells/batch.h"
#include "skincells/io/output_set.h"

namespace skincells {

struct BatchPagesJob {
  BatchJob batch;
  bool merge = false; // run nothing: put the results of shards together
};

// Runs the batch. Unless it is a shard, stages OUT/index.html and OUT/batch.csv.
Result<BatchOutcome> run(const BatchPagesJob& job, OutputSet& outputs, const BatchProgress& progress = {},
                         const std::atomic<bool>* stop = nullptr);

} // namespace skincells
