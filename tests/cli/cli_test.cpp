#include "cli/cli_test.h"

#include <algorithm>

#include "support/gltf_builder.h"
#include "support/json_schema.h"

namespace fs = std::filesystem;

namespace skincells::test {

CliTest::CliTest() {
  writeBytes(path("in.glb"), TubeDocument(4).glb());
  writeBytes(path("bare.glb"), BareTubeDocument(4).glb());
  writeText(path("garbage.glb"), "this is not a character");
}

ProgramResult CliTest::run(std::vector<std::string> words) const {
  words.insert(words.begin(), SKINCELLS_PROGRAM);
  return runProgram(words);
}

std::vector<std::string> CliTest::names() const {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(path(""))) out.push_back(entry.path().filename());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> CliTest::bindWords(const std::vector<std::string>& more) const {
  std::vector<std::string> words{"bind", path("in.glb"), "-o", path("out.glb")};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

nlohmann::json CliTest::documentIn(const std::string& text) {
  static const auto kSchema =
      nlohmann::json::parse(readText(fs::path(SKINCELLS_SOURCE_DIR) / "docs" / "report.schema.json"));
  const auto document = nlohmann::json::parse(text, nullptr, false);
  EXPECT_FALSE(document.is_discarded()) << "not one JSON document:\n" << text;
  if (document.is_discarded()) return {};
  for (const std::string& error : schemaErrors(kSchema, document)) ADD_FAILURE() << error;
  return document;
}

} // namespace skincells::test
