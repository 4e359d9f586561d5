// The files that a run reads and writes: what it reads is never changed, and what it writes appears whole, all of it or
// nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/result.h"

namespace skincells {

// Takes the next piece of a file; returns false if it cannot be written.
using Sink = std::function<bool(std::span<const std::uint8_t>)>;

struct OutputFile {
  std::string path;
  std::vector<std::uint8_t> bytes;
};

// The outputs of a run. Declare inputs and outputs before the work, stage the outputs when it is done, then commit.
//
// - An output that is also an input or another output is refused, whatever its name: files are compared as they are on
//   disk, through symbolic and hard links. Files that do not exist yet are compared by folder and name.
// - An existing file is refused unless `force`. Its permissions are kept. A symbolic link stays, and the file that it
//   points to is replaced.
// - Staged files have unpredictable temporary names in the folder of their target until the commit.
// - Pipes, character devices and open descriptors (/dev/stdout) are not replaced but written to, at the commit.
class OutputSet {
public:
  OutputSet();
  ~OutputSet(); // removes what was staged but not committed
  OutputSet(OutputSet&&) noexcept;
  OutputSet& operator=(OutputSet&&) noexcept;

  // A file that the run reads. Fails if it is one of the outputs. Empty paths are ignored.
  Result<void> addInput(const std::string& path);
  Result<void> addInputs(std::span<const std::string> paths);
  // A file that the run will write. Fails if it is an input or another output, exists without `force`, or cannot be
  // written to. Changes nothing on disk. Empty paths are ignored.
  Result<void> addOutput(const std::string& path, bool force);
  // A folder that outputs will go to. Makes it if it is missing; removed again unless something is committed.
  Result<void> addFolder(const std::string& path);
  // Whether the path is an input, an output, or a file that exists: a new file must have another name.
  bool isTaken(const std::string& path) const;
  // Whether the path has exactly these bytes, or will have them after the commit.
  bool hasContent(const std::string& path, std::span<const std::uint8_t> bytes) const;

  // Writes the content of an output under a temporary name. A path that was not declared is declared first.
  Result<void> stage(const std::string& path, std::span<const std::uint8_t> bytes, bool force);
  Result<void> stage(const std::string& path, std::string_view text, bool force);
  // The same in pieces: `produce` passes them to the sink, and returns false once the sink does.
  Result<void> stage(const std::string& path, const std::function<bool(const Sink&)>& produce, bool force);
  // Several files that belong together; the last one refers to the others. Missing folders below that of the last one
  // are created.
  Result<void> stage(std::span<const OutputFile> files, bool force);
  // An existing file that nothing refers to after the commit, and which is removed then. Inputs and outputs never are.
  void removeAfterCommit(const std::string& path);

  // Puts all staged files in place, in the order of staging. If one fails, the others are put back as they were. No
  // signal that is handled with `removeTemporaries` can interrupt it half-way.
  Result<void> commit();

private:
  struct State;
  std::unique_ptr<State> state_;
};

// For handlers of signals that end the process: removes the temporary files of all output sets and imports, and keeps
// the process from making more. Waits for a commit that is under way. Async-signal-safe.
void removeTemporaries() noexcept;

} // namespace skincells
