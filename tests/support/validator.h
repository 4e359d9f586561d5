// The Khronos glTF validator, where it is installed.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace skincells::test {

// node and tools/validator/node_modules are there.
bool hasValidator();
// For each pair (input, output): errors and warnings of the output that the input does not have, as one line of text
// a pair; empty text: none. An empty input path stands for a file without issues. One process for all.
std::vector<std::string> newIssues(const std::vector<std::pair<std::filesystem::path, std::filesystem::path>>& pairs);

} // namespace skincells::test

#define SKINCELLS_NEEDS_VALIDATOR()                                                                                    \
  if (!skincells::test::hasValidator()) GTEST_SKIP() << "the glTF validator is not installed; run `make setup`"
