// Running programs from tests.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace skincells::test {

struct ProgramResult {
  int code = -1; // exit code; 128 + signal when it died of one
  std::string out, err;
};
// Runs a program (looked up in PATH where it has no slash) with nothing on its standard input.
ProgramResult runProgram(const std::vector<std::string>& words);
// The same, with a signal after some time unless it has ended by then.
ProgramResult signalProgram(const std::vector<std::string>& words, int signal, std::chrono::microseconds after);

} // namespace skincells::test
