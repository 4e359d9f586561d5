// Runs a program under limits and waits for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace skincells::io {

struct ChildLimits {
  double wall_seconds = 0;
  int cpu_seconds = 0;
  std::uint64_t address_space = 0; // bytes; 0: no limit
  std::uint64_t file_bytes = 0;    // largest file that it may write
};

struct ChildOutcome {
  enum class Kind { Exited, Killed, TimedOut, NotStarted };
  Kind kind = Kind::NotStarted;
  int value = 0; // exit code, signal number, or errno of the failure to start
};

// Runs `program` (a path) with `arguments`, with empty standard input; standard output is discarded, standard error
// goes to the file `stderr_path`. Returns once it has ended; on timeout it and its children are killed. It does not
// outlive this process (on Linux).
ChildOutcome runChild(const std::string& program, const std::vector<std::string>& arguments,
                      const std::string& stderr_path, const ChildLimits& limits);

} // namespace skincells::io
