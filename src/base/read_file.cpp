#include "base/read_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

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
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return fd_; }

private:
  int fd_;
};

Error systemError(const std::string& path, const std::string& what) {
  return {ErrorCode::FileNotFound, what + " (" + std::strerror(errno) + ")", path};
}

// An open regular file and the size it had then.
struct Opened {
  Descriptor file;
  std::size_t size;
};

Result<Opened> openRegular(const std::string& path, int more_flags) {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | more_flags));
  if (file.value() < 0) return systemError(path, "cannot be opened");
  struct stat info {};
  if (::fstat(file.value(), &info) != 0) return systemError(path, "cannot be read");
  if (S_ISDIR(info.st_mode)) return Error{ErrorCode::FileNotFound, "is a folder, not a file", path};
  if (!S_ISREG(info.st_mode))
    return Error{ErrorCode::FileNotFound, "is a pipe or a device; copy its content to a file and read that", path};
  return Opened{std::move(file), static_cast<std::size_t>(info.st_size)};
}

// The number of bytes read, 0 at the end.
Result<std::size_t> readSome(const Opened& opened, const std::string& path, std::span<std::uint8_t> room) {
  for (;;) {
    const ssize_t n = ::read(opened.file.value(), room.data(), room.size());
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) return systemError(path, "cannot be read");
  }
}

Result<std::vector<std::uint8_t>> readRegular(const std::string& path, int more_flags) {
  SKINCELLS_TRY(opened, openRegular(path, more_flags));
  std::vector<std::uint8_t> bytes;
  // One byte more than the file has, so that its end is seen without another block.
  bytes.resize(opened.size + 1);
  for (std::size_t size = 0;;) {
    SKINCELLS_TRY(n, readSome(opened, path, std::span(bytes).subspan(size)));
    size += n;
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

Result<void> readPieces(const std::string& path, const std::function<void(std::span<const std::uint8_t>)>& take) {
  constexpr std::size_t kPiece = 1U << 18U; // bytes
  SKINCELLS_TRY(opened, openRegular(path, 0));
  std::vector<std::uint8_t> piece(kPiece);
  for (;;) {
    SKINCELLS_TRY(n, readSome(opened, path, piece));
    if (n == 0) return {};
    take(std::span(piece).first(n));
  }
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
