#include "base/read_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/try.h"

namespace fs = std::filesystem;

namespace skincells {
namespace {

class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return fd_; }

private:
  int fd_;
};

Error systemError(const std::string& path, const std::string& what) {
  return {ErrorCode::FileNotFound, what + " (" + std::strerror(errno) + ")", path};
}

Result<std::vector<std::uint8_t>> readRegular(const std::string& path, int more_flags) {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | more_flags));
  if (file.value() < 0) return systemError(path, "cannot be opened");
  struct stat info {};
  if (::fstat(file.value(), &info) != 0) return systemError(path, "cannot be read");
  if (S_ISDIR(info.st_mode)) return Error{ErrorCode::FileNotFound, "is a folder, not a file", path};
  if (!S_ISREG(info.st_mode))
    return Error{ErrorCode::FileNotFound, "is a pipe or a device; copy its content to a file and read that", path};
  std::vector<std::uint8_t> bytes;
  // One byte more than the file has, so that its end is seen without another block.
  bytes.resize(static_cast<std::size_t>(info.st_size) + 1);
  for (std::size_t size = 0;;) {
    const ssize_t n = ::read(file.value(), bytes.data() + size, bytes.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return systemError(path, "cannot be read");
    size += static_cast<std::size_t>(n);
    if (n == 0) {
      bytes.resize(size);
      return bytes;
    }
    if (size == bytes.size()) bytes.resize(size + std::max<std::size_t>(size, 1U << 16U)); // it grew meanwhile
  }
}

} // namespace

Result<std::vector<std::uint8_t>> readFile(const std::string& path) {
  return readRegular(path, 0);
}

Result<std::string> pathBelow(const std::string& folder, const std::string& relative) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return Error{ErrorCode::FileNotFound, "cannot be opened (" + error.message() + ")", folder};
  const fs::path found = fs::canonical(root / relative, error);
  const std::string path = (fs::path(folder) / relative).string();
  if (error) return Error{ErrorCode::FileNotFound, "cannot be opened (" + error.message() + ")", path};
  if (std::mismatch(root.begin(), root.end(), found.begin(), found.end()).first != root.end())
    return Error{ErrorCode::UnsafeReference, "leads out of the folder; only files in the same folder or below are read",
                 path};
  return found.string();
}

Result<std::vector<std::uint8_t>> readFileBelow(const std::string& folder, const std::string& relative) {
  SKINCELLS_TRY(path, pathBelow(folder, relative));
  return readRegular(path, O_NOFOLLOW);
}

} // namespace skincells
