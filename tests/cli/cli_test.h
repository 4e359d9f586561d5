// Running the built program on small files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/files.h"
#include "support/program.h"

namespace skincells::test {

class CliTest : public testing::Test {
protected:
  CliTest(); // makes in.glb (skinned tube), bare.glb (the same without skin) and garbage.glb

  ProgramResult run(std::vector<std::string> words) const;
  std::string path(const std::string& name) const { return folder_.path(name).string(); }
  // Names of all files in the test's folder, sorted.
  std::vector<std::string> names() const;
  // The words "bind in.glb -o out.glb" and then `more`.
  std::vector<std::string> bindWords(const std::vector<std::string>& more = {}) const;
  // Fails the test unless the text is exactly one JSON document that fits docs/report.schema.json.
  static nlohmann::json documentIn(const std::string& text);

  TemporaryFolder folder_;
};

} // namespace skincells::test
