#include "io/file_access.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <unistd.h>

#include "base/try.h"

namespace fs = std::filesystem;

namespace skincells::io {
namespace {

struct CloseFile {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using FilePointer = std::unique_ptr<std::FILE, CloseFile>;

Error systemError(ErrorCode code, const std::string& path, const std::string& what) {
  return {code, what + " (" + std::strerror(errno) + ")", path};
}

std::string temporaryName(const std::string& path) {
  return path + ".tmp" + std::to_string(::getpid());
}

Result<void> writeTemporary(const std::string& path, const std::function<bool(const Sink&)>& produce) {
  FilePointer f(std::fopen(temporaryName(path).c_str(), "wb"));
  if (!f)
    return systemError(ErrorCode::CannotWrite, path, "cannot be written; check that the folder exists and is writable");
  const Sink sink = [&](std::span<const std::uint8_t> bytes) {
    return bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), f.get()) == bytes.size();
  };
  if (!produce(sink) || std::fflush(f.get()) != 0)
    return systemError(ErrorCode::CannotWrite, path, "could not be written completely; is the disk full?");
  return {};
}

Result<void> writeTemporary(const OutputFile& file) {
  return writeTemporary(file.path, [&](const Sink& sink) { return sink(file.bytes); });
}

Result<void> putInPlace(const std::string& path) {
  std::error_code error;
  fs::rename(temporaryName(path), path, error);
  if (error)
    return Error{ErrorCode::CannotWrite, "cannot be renamed from its temporary name (" + error.message() + ")", path};
  return {};
}

// Creates missing folders, if the folder of the last file exists. Returns the new ones, parents first.
std::vector<fs::path> createFolders(std::span<const OutputFile> files) {
  std::vector<fs::path> created;
  std::error_code error;
  const fs::path home = fs::absolute(files.back().path, error).parent_path();
  if (!fs::is_directory(home, error)) return created;
  for (const OutputFile& file : files) {
    std::vector<fs::path> missing;
    for (fs::path p = fs::absolute(file.path, error).parent_path(); !p.empty() && !fs::exists(p, error);
         p = p.parent_path())
      missing.push_back(p);
    for (auto p = missing.rbegin(); p != missing.rend(); ++p)
      if (fs::create_directory(*p, error)) created.push_back(*p);
  }
  return created;
}

} // namespace

Result<std::vector<std::uint8_t>> readFile(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return Error{ErrorCode::FileNotFound, "is a folder, not a file", path};
  FilePointer f(std::fopen(path.c_str(), "rb"));
  if (!f) return systemError(ErrorCode::FileNotFound, path, "cannot be opened");
  std::vector<std::uint8_t> bytes;
  const auto expected = fs::file_size(path, error);
  if (!error) bytes.reserve(expected);
  std::uint8_t block[1 << 16];
  for (std::size_t n; (n = std::fread(block, 1, sizeof block, f.get())) > 0;)
    bytes.insert(bytes.end(), block, block + n);
  if (std::ferror(f.get()) != 0) return systemError(ErrorCode::FileNotFound, path, "cannot be read");
  return bytes;
}

Result<void> writeFiles(std::span<const OutputFile> files, bool force) {
  std::error_code error;
  std::vector<bool> replaced; // whether the file existed
  for (const OutputFile& file : files) {
    replaced.push_back(fs::exists(file.path, error));
    SKINCELLS_CHECK(checkTarget(file.path, force));
  }
  if (files.empty()) return {};
  const std::vector<fs::path> folders = createFolders(files);
  Result<void> result;
  std::size_t written = 0;
  for (; written < files.size() && result; ++written) result = writeTemporary(files[written]);
  std::size_t placed = 0;
  for (; placed < files.size() && result; ++placed) result = putInPlace(files[placed].path);
  if (!result) {
    for (std::size_t i = 0; i + 1 < placed; ++i) // the last one failed
      if (!replaced[i]) fs::remove(files[i].path, error);
    for (std::size_t i = 0; i < written; ++i) fs::remove(temporaryName(files[i].path), error);
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) fs::remove(*folder, error);
  }
  return result;
}

Result<void> writeStream(const std::string& path, bool force, const std::function<bool(const Sink&)>& produce) {
  SKINCELLS_CHECK(checkTarget(path, force));
  auto result = writeTemporary(path, produce);
  if (result) result = putInPlace(path);
  std::error_code error;
  if (!result) fs::remove(temporaryName(path), error);
  return result;
}

Result<void> checkTarget(const std::string& path, bool force) {
  std::error_code error;
  if (!force && fs::exists(path, error))
    return Error{ErrorCode::CannotWrite, "already exists; use --force to replace it, or choose another name", path};
  if (fs::is_directory(path, error)) return Error{ErrorCode::CannotWrite, "is a folder, not a file", path};
  return {};
}

Result<void> checkWritable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return Error{ErrorCode::CannotWrite, "is a folder, not a file", path};
  auto result = writeTemporary({path, {}});
  fs::remove(temporaryName(path), error);
  return result;
}

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) ||
         fs::absolute(a, error).lexically_normal() == fs::absolute(b, error).lexically_normal();
}

Result<void> checkNotInput(const std::string& output, const std::string& input) {
  std::error_code error;
  if (!fs::exists(output, error) || !sameFile(output, input)) return {};
  return Error{ErrorCode::CannotWrite, "is also an input, and inputs are never changed; choose another name", output};
}

} // namespace skincells::io
