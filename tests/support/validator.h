// The Khronos glTF validator, if it is installed.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace skincells::test {

// Whether node and tools/validator/node_modules exist.
bool hasValidator();
// For each pair (input, output): errors and warnings of the output that the input does not have, as one line of text;
// empty if there are none. An empty input path means a file without issues. One process checks all pairs.
std::vector<std::string> newIssues(const std::vector<std::pair<std::filesystem::path, std::filesystem::path>>& pairs);

} // namespace skincells::test

#define SKINCELLS_NEEDS_VALIDATOR()                                                                                    \
  if (!skincells::test::hasValidator()) GTEST_SKIP() << "the glTF validator is not installed; run `make setup`"
