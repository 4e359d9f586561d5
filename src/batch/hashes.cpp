#include "batch/hashes.h"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/read_file.h"
#include "base/try.h"
#include "io/uri.h"
#include "skincells/version.h"

namespace fs = std::filesystem;

namespace skincells::batch {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kLargestJson = 1U << 28U; // bytes of a .gltf file that is searched for the names of others

std::span<const std::uint8_t> bytesOf(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// In pieces: the files of a batch must not fill the memory of its one process.
Result<BatchFile> fileOf(const std::string& path) {
  BatchFile file{path, 0, {}};
  Sha256 sum;
  SKINCELLS_CHECK(readPieces(path, [&](std::span<const std::uint8_t> piece) {
    sum.add(piece);
    file.bytes += piece.size();
  }));
  file.sha256 = sum.finish();
  return file;
}

// The hashes of buffers and images beside a .gltf file. What cannot be read has none.
std::string resourceHashes(const std::string& path) {
  const auto gltf = readFile(path);
  if (!gltf) return {};
  const std::string folder = fs::path(path).parent_path().string();
  const Json json = Json::parse(gltf->begin(), gltf->end(), nullptr, false);
  std::string out;
  for (const char* list : {"buffers", "images"}) {
    if (!json.is_object() || !json.contains(list) || !json[list].is_array()) continue;
    for (const Json& entry : json[list]) {
      if (!entry.is_object() || !entry.contains("uri") || !entry["uri"].is_string()) continue;
      const std::string uri = entry["uri"];
      if (io::isDataUri(uri)) continue;
      const auto relative = io::relativePathOfUri(uri, "");
      const auto below = relative ? pathBelow(folder, *relative) : relative;
      const auto file = below ? fileOf(*below) : Result<BatchFile>(below.error());
      out += file ? file->sha256 : std::string("none");
    }
  }
  return out;
}

// The path in a word, "FILE" or "--name=FILE", from this position on.
std::size_t pathStart(const std::string& word) {
  const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  return equals == std::string::npos ? 0 : equals + 1;
}

bool isFile(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

} // namespace

std::string inputHash(const std::string& path) {
  const auto file = fileOf(path);
  if (!file) return {};
  const bool may_refer = path.ends_with(".gltf") && file->bytes <= kLargestJson;
  const std::string others = may_refer ? resourceHashes(path) : std::string();
  return others.empty() ? file->sha256 : sha256(bytesOf(file->sha256 + others));
}

std::string resolvedWord(const std::string& word) {
  const std::size_t start = pathStart(word);
  const std::string path = word.substr(start);
  std::error_code ignored;
  return isFile(path) ? word.substr(0, start) + fs::absolute(path, ignored).lexically_normal().string() : word;
}

std::string wordsHash(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    const std::string path = word.substr(pathStart(word));
    // Not the path: the same options are the same in another folder.
    text += isFile(path) ? word.substr(0, pathStart(word)) + inputHash(path) : word;
    text += '\0';
  }
  return sha256(bytesOf(text));
}

Result<std::string> programVersion(const std::string& program) {
  SKINCELLS_TRY(file, fileOf(program));
  return SKINCELLS_VERSION " " + file.sha256.substr(0, 16);
}

Result<std::vector<BatchFile>> filesIn(const std::string& folder) {
  std::vector<BatchFile> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file()) continue;
    SKINCELLS_TRY(file, fileOf(entry.path().string()));
    file.name = entry.path().lexically_relative(folder).generic_string();
    files.push_back(std::move(file));
  }
  if (error) return Error{ErrorCode::CannotWrite, "cannot be listed (" + error.message() + ")", folder};
  std::ranges::sort(files, {}, &BatchFile::name);
  return files;
}

bool hasFiles(const std::string& folder, const std::vector<BatchFile>& files, bool compare_hashes) {
  return std::ranges::all_of(files, [&](const BatchFile& file) {
    const std::string path = (fs::path(folder) / file.name).string();
    std::error_code error;
    if (!compare_hashes) return fs::file_size(path, error) == file.bytes && !error;
    const auto found = fileOf(path);
    return found && found->sha256 == file.sha256;
  });
}

} // namespace skincells::batch
