#include "support/validator.h"

#include <cstdlib>

#include "support/files.h"
#include "support/program.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

fs::path folder() {
  return fs::path(SKINCELLS_SOURCE_DIR) / "tools" / "validator";
}

} // namespace

bool hasValidator() {
  static const bool there =
      fs::is_directory(folder() / "node_modules" / "gltf-validator") && runProgram({"node", "--version"}).code == 0;
  return there;
}

std::vector<std::string> newIssues(const std::vector<std::pair<fs::path, fs::path>>& pairs) {
  const TemporaryFolder scratch;
  std::string list;
  for (const auto& [input, output] : pairs) list += input.string() + "\t" + output.string() + "\n";
  writeText(scratch.path("pairs.txt"), list);
  const ProgramResult run =
      runProgram({"node", (folder() / "validate.mjs").string(), "--pairs", scratch.path("pairs.txt").string()});
  std::vector<std::string> out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t end = run.out.find('\n', at);
    const std::string line = end == std::string::npos ? "" : run.out.substr(at, end - at);
    const bool clean = line.find("\"errors\":[],\"warnings\":[]") != std::string::npos;
    out.push_back(clean ? "" : line.empty() ? "the validator gave up: " + run.err : line);
    at = end == std::string::npos ? run.out.size() : end + 1;
  }
  return out;
}

} // namespace skincells::test
