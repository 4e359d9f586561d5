#include "confined_files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <assimp/MemoryIOWrapper.h>

#include "base/read_file.h"

namespace fs = std::filesystem;

namespace skincells::importer {
namespace {

// Without symbolic links; empty if there is no such file.
fs::path canonicalPath(const fs::path& path) {
  std::error_code error;
  fs::path out = fs::canonical(path, error);
  return error ? fs::path() : out;
}

// Reads each file as a whole, so that nothing else has to be opened later.
class ConfinedIoSystem : public Assimp::IOSystem {
public:
  explicit ConfinedIoSystem(ConfinedFiles& files) : files_(files) {}

  bool Exists(const char* path) const override { return files_.exists(path); }
  char getOsSeparator() const override { return '/'; }

  Assimp::IOStream* Open(const char* path, const char* mode) override {
    if (mode == nullptr || mode[0] != 'r' || std::strchr(mode, '+') != nullptr || !files_.exists(path)) return nullptr;
    const std::vector<std::uint8_t> bytes = files_.read(path);
    auto* copy = new std::uint8_t[std::max<std::size_t>(bytes.size(), 1)];
    std::copy(bytes.begin(), bytes.end(), copy);
    return new Assimp::MemoryIOStream(copy, bytes.size(), true);
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

  // The base class would change the file system or the process.
  bool ChangeDirectory(const std::string&) override { return false; }
  bool CreateDirectory(const std::string&) override { return false; }
  bool DeleteFile(const std::string&) override { return false; }

private:
  ConfinedFiles& files_;
};

} // namespace

ConfinedFiles::ConfinedFiles(std::string input) : input_(std::move(input)) {
  const fs::path folder = fs::path(input_).parent_path();
  folder_ = canonicalPath(folder.empty() ? "." : folder).string();
}

std::string ConfinedFiles::pathOf(const std::string& path) const {
  const fs::path found = canonicalPath(path);
  if (found.empty() || folder_.empty()) return {};
  if (found == canonicalPath(input_)) return input_;
  std::error_code error;
  const auto below = pathBelow(folder_, fs::relative(found, folder_, error).string());
  return below && fs::is_regular_file(*below, error) ? *below : std::string();
}

bool ConfinedFiles::exists(const std::string& path) const {
  return !pathOf(path).empty();
}

std::vector<std::uint8_t> ConfinedFiles::read(const std::string& path) {
  const std::string found = pathOf(path);
  if (found.empty()) return {};
  if (found != input_ && std::ranges::find(resources_, found) == resources_.end()) resources_.push_back(found);
  auto bytes = readFile(found);
  return bytes ? std::move(*bytes) : std::vector<std::uint8_t>();
}

std::unique_ptr<Assimp::IOSystem> ioSystemOf(ConfinedFiles& files) {
  return std::make_unique<ConfinedIoSystem>(files);
}

} // namespace skincells::importer
