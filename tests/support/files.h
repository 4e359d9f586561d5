// Where tests find and put files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace skincells::test {

// The root of the checkout.
std::filesystem::path sourceFolder();

// ../shared beside the checkout, or SKINCELLS_SHARED; empty when it is not there. Tests that need it say
// `SKINCELLS_NEEDS_SHARED();` first, which skips them with a message.
std::filesystem::path sharedFolder();
// Every character file below shared/characters (main table, then fbx/, then compressed/), sorted.
std::vector<std::filesystem::path> sharedCharacters(bool with_foreign);

// A folder of its own for one test, removed at the end.
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
  GTEST_SKIP() << "the folder 'shared' is not beside the checkout; set SKINCELLS_SHARED to its path"
