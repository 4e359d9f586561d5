// Folders and files of tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace skincells::test {

// The root of the checkout.
std::filesystem::path sourceFolder();

// The folder ../shared next to the checkout, or SKINCELLS_SHARED; empty if there is none. Tests that need it start with
// `SKINCELLS_NEEDS_SHARED();`, which skips them otherwise.
std::filesystem::path sharedFolder();
// All character files below shared/characters (main folder, then fbx/, then compressed/), sorted.
std::vector<std::filesystem::path> sharedCharacters(bool with_foreign);

// A temporary folder for one test.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

private:
  std::filesystem::path folder_;
};

std::vector<std::uint8_t> readBytes(const std::filesystem::path& path);
std::string readText(const std::filesystem::path& path);
void writeBytes(const std::filesystem::path& path, const std::vector<std::uint8_t>& bytes);
void writeText(const std::filesystem::path& path, const std::string& text);

} // namespace skincells::test

#define SKINCELLS_NEEDS_SHARED()                                                                                       \
  if (skincells::test::sharedFolder().empty())                                                                         \
  GTEST_SKIP() << "there is no folder 'shared' next to the checkout; set SKINCELLS_SHARED to its path"
