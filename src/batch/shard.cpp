#include <charconv>
#include <cstdlib>

#include "skincells/batch.h"

namespace skincells {
namespace {

bool parseNumber(std::string_view text, int& value) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && value >= 0;
}

} // namespace

Result<BatchShard> parseShard(std::string_view text) {
  BatchShard shard;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || !parseNumber(text.substr(0, slash), shard.index) ||
      !parseNumber(text.substr(slash + 1), shard.count) || shard.index >= shard.count)
    return Error{ErrorCode::InvalidOption,
                 "'" + std::string(text) +
                     "' is not a shard; use INDEX/COUNT with an index from 0 to COUNT - 1, as 0/20",
                 "--shard"};
  return shard;
}

Result<BatchShard> shardOfEnvironment(int count) {
  for (const char* name : {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    BatchShard shard{0, count};
    if (parseNumber(value, shard.index) && shard.index < count) return shard;
    return Error{ErrorCode::InvalidOption,
                 std::string("is '") + value + "'; with --shards " + std::to_string(count) + " it must be from 0 to " +
                     std::to_string(count - 1),
                 name};
  }
  return Error{ErrorCode::InvalidOption,
               "this is no task of an array job: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and "
               "AWS_BATCH_JOB_ARRAY_INDEX are not set; use --shard INDEX/COUNT, or --slurm to make an array job",
               "--shards"};
}

} // namespace skincells
