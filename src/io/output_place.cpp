#include "io/output_place.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>

#include <sys/stat.h>
#include <unistd.h>

#include "base/try.h"

namespace fs = std::filesystem;

namespace skincells::io {
namespace {

constexpr int kMaxLinks = 40; // as many as Linux follows

Error cannotWrite(const std::string& path, std::string why) {
  return {ErrorCode::CannotWrite, std::move(why), path};
}

// A link that another user put into a shared folder may lead anywhere. Linux does not follow it either
// (fs.protected_symlinks).
bool isForeignLink(const struct stat& link, const fs::path& folder) {
  struct stat parent {};
  if (::stat(folder.c_str(), &parent) != 0) return false;
  const bool shared = (parent.st_mode & S_ISVTX) != 0 && (parent.st_mode & S_IWOTH) != 0;
  return shared && link.st_uid != ::geteuid() && link.st_uid != parent.st_uid;
}

// The number of /proc/self/fd/NUMBER.
std::optional<int> ownDescriptor(const fs::path& folder, const std::string& name) {
  const std::string own = "/proc/" + std::to_string(::getpid()) + "/fd";
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (folder != own || error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

// Where the last part of a path leads.
struct Followed {
  fs::path path; // not a symbolic link, unless in /proc
  std::optional<int> descriptor;
};

Result<Followed> follow(const std::string& given) {
  std::error_code error;
  fs::path path = fs::absolute(given, error);
  for (int i = 0; i < kMaxLinks; ++i) {
    if (!path.has_filename()) return cannotWrite(given, "is a folder, not a file");
    const fs::path folder = fs::canonical(path.parent_path(), error);
    if (error)
      return cannotWrite(given,
                         "cannot be written; check that the folder exists and is writable (" + error.message() + ")");
    path = folder / path.filename();
    if (const auto number = ownDescriptor(folder, path.filename().string())) return Followed{path, number};
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode) || folder.string().starts_with("/proc/"))
      return Followed{path, std::nullopt};
    if (isForeignLink(info, folder))
      return cannotWrite(given, "is a symbolic link of another user in a shared folder; choose another name");
    const fs::path target = fs::read_symlink(path, error);
    if (error) return cannotWrite(given, "is a symbolic link that cannot be read (" + error.message() + ")");
    path = folder / target; // the target alone, if it is absolute
  }
  return cannotWrite(given, "is a symbolic link that leads in a circle");
}

} // namespace

FileIdentity identityOf(const std::string& given) {
  struct stat info {};
  if (::stat(given.c_str(), &info) == 0) return {info.st_dev, info.st_ino, {}};
  std::error_code error;
  const auto followed = follow(given);
  fs::path path = followed ? followed->path : fs::absolute(given, error);
  fs::path rest;
  while (path.has_relative_path() && ::stat(path.c_str(), &info) != 0) {
    rest = rest.empty() ? path.filename() : path.filename() / rest;
    path = path.parent_path();
  }
  return {info.st_dev, info.st_ino, rest.lexically_normal().string()};
}

Result<OutputPlace> findPlace(const std::string& given) {
  SKINCELLS_TRY(followed, follow(given));
  OutputPlace place;
  place.path = followed.path.string();
  struct stat info {};
  if (followed.descriptor) {
    if (::fstat(*followed.descriptor, &info) != 0)
      return cannotWrite(given, std::string("is not open (") + std::strerror(errno) + ")");
    place.kind = OutputPlace::Kind::Descriptor;
    place.descriptor = *followed.descriptor;
    place.is_shared = S_ISCHR(info.st_mode);
    return place;
  }
  if (::stat(place.path.c_str(), &info) != 0) {
    if (errno == ENOENT) return place;
    return cannotWrite(given, std::string("cannot be written (") + std::strerror(errno) + ")");
  }
  place.exists = true;
  place.permissions = info.st_mode & 0777U;
  place.owner = info.st_uid;
  place.group = info.st_gid;
  if (S_ISDIR(info.st_mode)) return cannotWrite(given, "is a folder, not a file");
  if (S_ISBLK(info.st_mode)) return cannotWrite(given, "is a block device, which holds a whole file system");
  if (S_ISSOCK(info.st_mode)) return cannotWrite(given, "is a socket, not a file");
  if (S_ISREG(info.st_mode) && !place.path.starts_with("/proc/")) return place;
  place.kind = OutputPlace::Kind::Stream;
  place.is_shared = S_ISCHR(info.st_mode);
  if (::access(place.path.c_str(), W_OK) != 0)
    return cannotWrite(given, std::string("cannot be written (") + std::strerror(errno) + ")");
  return place;
}

} // namespace skincells::io
