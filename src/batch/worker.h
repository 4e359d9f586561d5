// Runs one item in worker processes.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "skincells/batch.h"

namespace skincells::batch {

// What a command writes to -o. Posed: a character without a skin, which has no worst pose to show.
enum class Writes { Nothing, Character, Posed, Picture, Page };
// A command that a batch can run.
struct CommandTraits {
  const char* name;
  Writes writes;
};
const CommandTraits* findCommand(const std::string& name);

inline constexpr const char* kFieldOfLeader = "field.skc"; // in the folder of an item that others start from

struct Work {
  std::string program;
  std::string version;
  std::vector<std::string> command; // words, with absolute paths
  std::string command_hash;
  BatchOptions options;
  std::string work_folder; // for outputs that are not complete yet; on the disk of the items
  std::string items_folder;
  const std::atomic<bool>* stop = nullptr;
};

// Of what all items have in common.
std::string commandHash(const Work& work);
// Of all that the outputs of an item depend on, except input and version.
std::string optionsHash(const Work& work, const BatchItem& item);

// Runs the item. Its outputs are in the folder of its name afterwards, all of them; there are none if it failed, except
// those of a failed quality gate. Nothing if the run was stopped. An error if the results cannot be stored.
// slot: number of the worker; two workers with the same number must not run at the same time.
Result<std::optional<BatchLine>> runItem(const Work& work, const BatchItem& item, int slot);

} // namespace skincells::batch
