// Runs a program under limits and waits for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace skincells::io {

struct ChildProgram {
  std::string program; // a path
  std::vector<std::string> arguments;
  std::string stderr_path;               // standard error goes to this file
  std::string stdout_path = "/dev/null"; // and standard output to this one
  std::string folder = ".";              // where it runs
};

// 0: no limit.
struct ChildLimits {
  double wall_seconds = 0;
  int cpu_seconds = 0;
  std::uint64_t address_space = 0;         // bytes
  std::uint64_t resident_bytes = 0;        // memory in use, with children; looked at every few milliseconds (on Linux)
  std::uint64_t file_bytes = 0;            // largest file that it may write
  const std::atomic<bool>* stop = nullptr; // ends it once this is true
};

struct ChildOutcome {
  enum class Kind { Exited, Killed, TimedOut, OverMemory, Stopped, NotStarted };
  Kind kind = Kind::NotStarted;
  int value = 0;                // exit code, signal number, or errno of the failure to start
  double cpu_seconds = 0;       // of it and its children
  std::uint64_t peak_bytes = 0; // most memory in use
};

// Runs the program with empty standard input. Returns once it has ended; over a limit or stopped, it and its children
// are killed. It does not outlive this thread (on Linux).
ChildOutcome runChild(const ChildProgram& child, const ChildLimits& limits);

} // namespace skincells::io
