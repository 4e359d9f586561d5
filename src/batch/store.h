// The files of an output folder: lines, items and unfinished work.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "batch/line.h"
#include "skincells/batch.h"

namespace skincells::batch {

// OUT/batch.jsonl       the lines
// OUT/lines/*.jsonl     those of shards, one file per process, until they are merged
// OUT/items/NAME/       the outputs of an item
// OUT/.work/            what is not complete yet
// OUT/.lock
class Store {
public:
  enum class Use {
    Look,  // changes nothing
    Shard, // beside other shards
    Whole, // alone
  };

  // Creates the folder if it is missing. Fails if another process uses it in a way that excludes this one. Alone, what
  // killed runs have left behind is removed.
  static Result<Store> open(const std::string& folder, Use use);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  std::string itemsFolder() const;
  std::string workFolder() const; // of this process

  // The newest line of every item.
  LinesByItem lines() const;
  // Appends a line; it is there, whole, after a crash of this process. Safe from several threads.
  Result<void> append(const BatchLine& line);
  // Replaces all files with lines by one that has these.
  Result<void> rewrite(const std::vector<const BatchLine*>& lines);

private:
  struct State;
  explicit Store(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace skincells::batch
