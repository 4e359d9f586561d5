#include "support/files.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <unistd.h>

namespace fs = std::filesystem;

namespace skincells::test {

fs::path sourceFolder() {
  return SKINCELLS_SOURCE_DIR;
}

fs::path sharedFolder() {
  if (const char* set = std::getenv("SKINCELLS_SHARED")) return fs::is_directory(set) ? fs::path(set) : fs::path();
  const fs::path beside = fs::path(SKINCELLS_SOURCE_DIR).parent_path() / "shared";
  return fs::is_directory(beside / "characters") ? beside : fs::path();
}

std::vector<fs::path> sharedCharacters(bool with_foreign) {
  std::vector<fs::path> main, foreign;
  if (sharedFolder().empty()) return main;
  for (const auto& entry : fs::recursive_directory_iterator(sharedFolder() / "characters")) {
    const std::string extension = entry.path().extension().string(), folder = entry.path().parent_path().filename();
    if (extension != ".glb" && extension != ".gltf" && extension != ".vrm" && extension != ".fbx") continue;
    (folder == "fbx" || folder == "compressed" ? foreign : main).push_back(entry.path());
  }
  std::sort(main.begin(), main.end());
  std::sort(foreign.begin(), foreign.end());
  if (with_foreign) main.insert(main.end(), foreign.begin(), foreign.end());
  return main;
}

TemporaryFolder::TemporaryFolder() {
  static std::atomic<int> counter{0};
  folder_ = fs::temp_directory_path() /
            ("skincells_test_" + std::to_string(::getpid()) + "_" + std::to_string(counter.fetch_add(1)));
  fs::create_directories(folder_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::vector<std::uint8_t> readBytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string readText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void writeBytes(const fs::path& path, const std::vector<std::uint8_t>& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void writeText(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

} // namespace skincells::test
