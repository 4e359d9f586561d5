// Standard input and output in the place of files: "-" as an input, and "-o -".
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "help.h"
#include "skincells/result.h"

namespace skincells::cli {

// The files behind them, in a temporary folder that is removed in the end. One object per run of the program.
class Streams {
public:
  Streams() = default;
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams();

  // Puts names of files in the place of "-". Reads standard input to its end if it is one of them; its format is that
  // of its first bytes.
  Result<void> replace(const CommandHelp& command, std::vector<std::string>& words);
  // Copies the output to standard output, if that was asked for and it was written.
  Result<void> finish();

private:
  std::string folder_, output_;
};

// Where a command prints its text: standard error if its output goes to standard output.
std::FILE* textStream();
// The text with "standard input" and "standard output" in the place of the temporary names.
std::string withStreamNames(std::string text);

} // namespace skincells::cli
