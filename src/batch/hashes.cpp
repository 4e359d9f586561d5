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

std::span<const std::uint8_t> bytesOf(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The hashes of buffers and images beside a .gltf file. What cannot be read has none.
std::string resourceHashes(const std::vector<std::uint8_t>& gltf, const std::string& folder) {
  const Json json = Json::parse(gltf.begin(), gltf.end(), nullptr, false);
  std::string out;
  for (const char* list : {"buffers", "images"}) {
    if (!json.is_object() || !json.contains(list) || !json[list].is_array()) continue;
    for (const Json& entry : json[list]) {
      if (!entry.is_object() || !entry.contains("uri") || !entry["uri"].is_string()) continue;
      const std::string uri = entry["uri"];
      if (io::isDataUri(uri)) continue;
      const auto path = io::relativePathOfUri(uri, "");
      const auto bytes = path ? readFileBelow(folder, *path) : Result<std::vector<std::uint8_t>>(path.error());
      out += bytes ? sha256(*bytes) : std::string("none");
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
  const auto bytes = readFile(path);
  if (!bytes) return {};
  std::string hash = sha256(*bytes);
  if (!path.ends_with(".gltf")) return hash;
  const std::string folder = fs::path(path).parent_path().string();
  const std::string others = resourceHashes(*bytes, folder);
  return others.empty() ? hash : sha256(bytesOf(hash + others));
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
  SKINCELLS_TRY(bytes, readFile(program));
  return SKINCELLS_VERSION " " + sha256(bytes).substr(0, 16);
}

Result<std::vector<BatchFile>> filesIn(const std::string& folder) {
  std::vector<BatchFile> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file()) continue;
    SKINCELLS_TRY(bytes, readFile(entry.path().string()));
    files.push_back({entry.path().lexically_relative(folder).generic_string(), bytes.size(), sha256(bytes)});
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
    const auto bytes = readFile(path);
    return bytes && sha256(*bytes) == file.sha256;
  });
}

} // namespace skincells::batch
