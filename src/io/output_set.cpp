#include "skincells/io/output_set.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/read_file.h"
#include "base/try.h"
#include "io/output_place.h"
#include "io/temporaries.h"

namespace fs = std::filesystem;

namespace skincells {
namespace {

using io::FileIdentity;
using io::OutputPlace;
using io::TemporarySection;
using Kind = OutputPlace::Kind;

constexpr const char* kDiskFull = "could not be written completely; is the disk full?";

Error systemError(const std::string& path, const std::string& what) {
  return {ErrorCode::CannotWrite, what + " (" + std::strerror(errno) + ")", path};
}

Error ending() {
  return {ErrorCode::Cancelled, "the program is ending, nothing was written", ""};
}

bool writeAll(int file, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

// Some file systems cannot sync, which is no reason to fail.
bool synced(int file) {
  return ::fsync(file) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
}

void syncFolder(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

std::string temporaryIn(const fs::path& folder) {
  return (folder / io::temporaryFileName()).string();
}

// Creates the temporary and returns its descriptor, or -1 with errno. Only in a section.
int createTemporary(const std::string& path, mode_t permissions) {
  TemporarySection::add(path);
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions);
  const int reason = errno;
  if (fd < 0) TemporarySection::forget(path);
  errno = reason;
  return fd;
}

void removeTemporary(const std::string& path) {
  ::unlink(path.c_str());
  TemporarySection::forget(path);
}

// Owner and permissions of the file that is replaced, never more: the group's permissions are not for another group.
bool takePermissions(int file, const OutputPlace& old) {
  struct stat info {};
  if (::fstat(file, &info) != 0) return false;
  mode_t permissions = old.permissions;
  if ((info.st_uid != old.owner || info.st_gid != old.group) && ::fchown(file, old.owner, old.group) != 0 &&
      info.st_gid != old.group && ::fchown(file, static_cast<uid_t>(-1), old.group) != 0)
    permissions &= ~static_cast<mode_t>(S_IRWXG) | ((permissions & S_IRWXO) << 3U);
  return ::fchmod(file, permissions) == 0;
}

int renameWith(const std::string& from, const std::string& to, unsigned flags) {
#ifdef __linux__
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags);
#else
  errno = ENOSYS;
  return -1;
#endif
}

bool isUnsupported(int reason) {
  return reason == EINVAL || reason == ENOSYS || reason == ENOTSUP;
}

#ifdef __linux__
constexpr unsigned kExchange = RENAME_EXCHANGE, kNoReplace = RENAME_NOREPLACE;
#else
constexpr unsigned kExchange = 0, kNoReplace = 0;
#endif

} // namespace

struct OutputSet::State {
  struct Output {
    std::string path; // as given
    OutputPlace place;
    FileIdentity identity;
    bool force = false;
    std::string temporary;           // of a staged file
    std::vector<std::uint8_t> bytes; // of a staged stream
    bool is_staged = false;
    // After it was put in place: whether the old file has the name of the temporary now.
    bool has_backup = false;
  };

  std::map<FileIdentity, std::string> inputs;
  std::vector<Output> outputs;
  std::vector<std::size_t> order;   // staged outputs
  std::vector<std::string> folders; // created, parents first
  std::vector<std::string> superseded;

  ~State() { discard(); }

  Output* find(const std::string& path);
  Result<void> checkOverlap(const std::string& path, const OutputPlace& place, const FileIdentity& identity) const;
  Result<std::size_t> indexOf(const std::string& path, bool force);
  Result<void> stageFile(Output& output, const std::function<bool(const Sink&)>& produce);
  Result<void> createFolders(std::span<const OutputFile> files);
  Result<void> createFolder(fs::path folder); // absolute; and those above it
  static Result<void> writeStream(const Output& output);
  static Result<void> putInPlace(Output& output);
  void putBack(std::size_t count);
  Result<void> putAllInPlace();
  void discard();
};

OutputSet::State::Output* OutputSet::State::find(const std::string& path) {
  const auto found = std::ranges::find(outputs, path, &Output::path);
  return found == outputs.end() ? nullptr : &*found;
}

Result<void> OutputSet::State::checkOverlap(const std::string& path, const OutputPlace& place,
                                            const FileIdentity& identity) const {
  if (inputs.contains(identity))
    return Error{ErrorCode::CannotWrite, "is also an input, and inputs are never changed; choose another name", path};
  const auto isSame = [&](const Output& o) {
    return o.identity == identity && !(o.place.is_shared && place.is_shared);
  };
  if (std::ranges::any_of(outputs, isSame))
    return Error{ErrorCode::CannotWrite, "is used for two outputs; choose a different name for each", path};
  return {};
}

Result<std::size_t> OutputSet::State::indexOf(const std::string& path, bool force) {
  if (const Output* known = find(path)) return static_cast<std::size_t>(known - outputs.data());
  SKINCELLS_TRY(place, io::findPlace(path));
  Output output{path, place, io::identityOf(path), force, {}, {}, false, false};
  SKINCELLS_CHECK(checkOverlap(path, place, output.identity));
  if (place.kind == Kind::File && place.exists && !force)
    return Error{ErrorCode::CannotWrite, "already exists; use --force to replace it, or choose another name", path};
  outputs.push_back(std::move(output));
  return outputs.size() - 1;
}

Result<void> OutputSet::State::stageFile(Output& output, const std::function<bool(const Sink&)>& produce) {
  const std::string temporary = temporaryIn(fs::path(output.place.path).parent_path());
  int file = -1;
  {
    const TemporarySection section;
    if (!section) return ending();
    // A new file gets the permissions that the user's mask allows.
    file = createTemporary(temporary, output.place.exists ? 0600 : 0666);
    if (file < 0) return systemError(output.path, "cannot be written; check that the folder exists and is writable");
    output.temporary = temporary;
  }
  const Sink sink = [&](std::span<const std::uint8_t> bytes) { return writeAll(file, bytes); };
  errno = 0;
  bool complete = produce(sink) && synced(file);
  const int reason = errno;
  if (complete && output.place.exists) complete = takePermissions(file, output.place);
  const bool closed = ::close(file) == 0;
  if (complete && closed) return {};
  if (closed) errno = reason;
  return systemError(output.path, kDiskFull);
}

Result<void> OutputSet::State::createFolders(std::span<const OutputFile> files) {
  std::error_code error;
  const fs::path home = fs::absolute(files.back().path, error).parent_path();
  if (!fs::is_directory(home, error)) return {};
  for (const OutputFile& file : files) SKINCELLS_CHECK(createFolder(fs::absolute(file.path, error).parent_path()));
  return {};
}

Result<void> OutputSet::State::createFolder(fs::path folder) {
  std::error_code error;
  std::vector<fs::path> missing;
  for (; !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path()) missing.push_back(folder);
  const TemporarySection section;
  if (!section) return ending();
  for (auto p = missing.rbegin(); p != missing.rend(); ++p) {
    TemporarySection::addFolder(p->string());
    if (fs::create_directory(*p, error))
      folders.push_back(p->string());
    else
      TemporarySection::forget(p->string());
  }
  return {};
}

Result<void> OutputSet::State::writeStream(const Output& output) {
  const bool is_open = output.place.kind == Kind::Descriptor;
  if (is_open) std::fflush(nullptr); // what was printed before comes first
  const int file =
      is_open ? ::dup(output.place.descriptor) : ::open(output.place.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return systemError(output.path, "cannot be opened for writing");
  const bool written = writeAll(file, output.bytes);
  const int reason = errno;
  const bool closed = ::close(file) == 0;
  if (written && closed) return {};
  if (!written) errno = reason;
  return systemError(output.path, "could not be written completely");
}

// Exchanging the names keeps the old file, under the name of the temporary, until all outputs are in place.
Result<void> OutputSet::State::putInPlace(Output& output) {
  const std::string &from = output.temporary, &to = output.place.path;
  struct stat info {};
  const bool exists = ::lstat(to.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode))
    return Error{ErrorCode::CannotWrite, "is no longer a regular file; it was left as it is", output.path};
  if (exists && !output.force)
    return Error{ErrorCode::CannotWrite, "was written by another program meanwhile; it was left as it is", output.path};
  output.has_backup = exists && renameWith(from, to, kExchange) == 0;
  if (output.has_backup) return {};
  if (exists && !isUnsupported(errno)) return systemError(output.path, "cannot be replaced");
  if (!exists && renameWith(from, to, kNoReplace) == 0) return {};
  if (!exists && !isUnsupported(errno)) return systemError(output.path, "cannot be renamed from its temporary name");
  if (::rename(from.c_str(), to.c_str()) != 0)
    return systemError(output.path, "cannot be renamed from its temporary name");
  return {};
}

void OutputSet::State::putBack(std::size_t count) {
  for (std::size_t i = count; i-- > 0;) {
    Output& output = outputs[order[i]];
    if (output.place.kind != Kind::File) continue;
    if (output.has_backup)
      renameWith(output.temporary, output.place.path, kExchange);
    else if (!output.place.exists)
      ::unlink(output.place.path.c_str());
  }
}

Result<void> OutputSet::State::putAllInPlace() {
  const TemporarySection section;
  if (!section) return ending();
  for (std::size_t i = 0; i < order.size(); ++i) {
    Output& output = outputs[order[i]];
    if (output.place.kind != Kind::File) continue;
    if (auto placed = putInPlace(output); !placed) {
      putBack(i);
      return placed;
    }
  }
  for (const std::size_t i : order)
    if (outputs[i].place.kind == Kind::File) removeTemporary(outputs[i].temporary); // the old file, if any
  for (const std::string& path : superseded) ::unlink(path.c_str());
  for (const std::string& folder : folders) TemporarySection::forget(folder);
  folders.clear();
  return {};
}

void OutputSet::State::discard() {
  if (folders.empty() && std::ranges::all_of(outputs, [](const Output& o) { return o.temporary.empty(); })) return;
  const TemporarySection section;
  if (!section) return; // removeTemporaries does it
  for (Output& output : outputs)
    if (!output.temporary.empty()) removeTemporary(output.temporary);
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
    ::rmdir(folder->c_str());
    TemporarySection::forget(*folder);
  }
}

OutputSet::OutputSet() : state_(std::make_unique<State>()) {}
OutputSet::OutputSet(OutputSet&&) noexcept = default;
OutputSet& OutputSet::operator=(OutputSet&&) noexcept = default;
OutputSet::~OutputSet() = default;

Result<void> OutputSet::addInput(const std::string& path) {
  if (path.empty()) return {};
  const FileIdentity identity = io::identityOf(path);
  const auto output = std::ranges::find(state_->outputs, identity, &State::Output::identity);
  state_->inputs.emplace(identity, path);
  if (output == state_->outputs.end()) return {};
  return Error{ErrorCode::CannotWrite, "is also an input, and inputs are never changed; choose another name",
               output->path};
}

Result<void> OutputSet::addInputs(std::span<const std::string> paths) {
  for (const std::string& path : paths) SKINCELLS_CHECK(addInput(path));
  return {};
}

Result<void> OutputSet::addOutput(const std::string& path, bool force) {
  if (path.empty()) return {};
  if (const State::Output* known = state_->find(path); known != nullptr && !known->place.is_shared)
    return Error{ErrorCode::CannotWrite, "is used for two outputs; choose a different name for each", path};
  SKINCELLS_TRY(index, state_->indexOf(path, force));
  const State::Output& output = state_->outputs[index];
  if (output.place.kind != Kind::File) return {};
  const TemporarySection section;
  if (!section) return ending();
  const std::string probe = temporaryIn(fs::path(output.place.path).parent_path());
  const int file = createTemporary(probe, 0600);
  if (file < 0) return systemError(path, "cannot be written; check that the folder exists and is writable");
  ::close(file);
  removeTemporary(probe);
  return {};
}

bool OutputSet::isTaken(const std::string& path) const {
  const FileIdentity identity = io::identityOf(path);
  return identity.rest.empty() || state_->inputs.contains(identity) ||
         std::ranges::any_of(state_->outputs, [&](const auto& o) { return o.identity == identity; });
}

bool OutputSet::hasContent(const std::string& path, std::span<const std::uint8_t> bytes) const {
  const auto output = std::ranges::find(state_->outputs, io::identityOf(path), &State::Output::identity);
  if (output != state_->outputs.end() && !output->is_staged) return false; // what it will have is not known yet
  const auto content = readFile(output == state_->outputs.end() ? path : output->temporary);
  return content && std::ranges::equal(*content, bytes);
}

Result<void> OutputSet::stage(const std::string& path, const std::function<bool(const Sink&)>& produce, bool force) {
  SKINCELLS_TRY(index, state_->indexOf(path, force));
  State::Output& output = state_->outputs[index];
  if (output.is_staged && !output.place.is_shared)
    return Error{ErrorCode::CannotWrite, "is used for two outputs; choose a different name for each", path};
  if (output.place.kind == Kind::File) {
    SKINCELLS_CHECK(state_->stageFile(output, produce));
  } else {
    produce([&](std::span<const std::uint8_t> bytes) {
      output.bytes.insert(output.bytes.end(), bytes.begin(), bytes.end());
      return true;
    });
  }
  if (!output.is_staged) state_->order.push_back(index);
  output.is_staged = true;
  return {};
}

Result<void> OutputSet::stage(const std::string& path, std::span<const std::uint8_t> bytes, bool force) {
  return stage(
      path, [&](const Sink& sink) { return sink(bytes); }, force);
}

Result<void> OutputSet::stage(const std::string& path, std::string_view text, bool force) {
  return stage(path, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), force);
}

Result<void> OutputSet::stage(std::span<const OutputFile> files, bool force) {
  if (files.empty()) return {};
  SKINCELLS_CHECK(state_->createFolders(files));
  for (const OutputFile& file : files) SKINCELLS_CHECK(stage(file.path, file.bytes, force));
  return {};
}

Result<void> OutputSet::addFolder(const std::string& path) {
  std::error_code error;
  SKINCELLS_CHECK(state_->createFolder(fs::absolute(fs::path(path) / "", error).parent_path()));
  if (!fs::is_directory(path, error))
    return Error{ErrorCode::CannotWrite, "is no folder and cannot be made one; choose another name", path};
  return {};
}

void OutputSet::removeAfterCommit(const std::string& path) {
  const FileIdentity identity = io::identityOf(path);
  const bool in_use = state_->inputs.contains(identity) ||
                      std::ranges::any_of(state_->outputs, [&](const auto& o) { return o.identity == identity; });
  if (!in_use) state_->superseded.push_back(path);
}

Result<void> OutputSet::commit() {
  for (const std::size_t i : state_->order)
    if (state_->outputs[i].place.kind != Kind::File) SKINCELLS_CHECK(State::writeStream(state_->outputs[i]));
  SKINCELLS_CHECK(state_->putAllInPlace());
  std::set<std::string> folders;
  for (const std::size_t i : state_->order)
    if (state_->outputs[i].place.kind == Kind::File)
      folders.insert(fs::path(state_->outputs[i].place.path).parent_path().string());
  for (const std::string& folder : folders) syncFolder(folder);
  state_ = std::make_unique<State>();
  return {};
}

} // namespace skincells
