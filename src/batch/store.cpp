#include "batch/store.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/try.h"
#include "io/temporaries.h"
#include "skincells/io/output_set.h"

namespace fs = std::filesystem;

namespace skincells::batch {
namespace {

Error cannotWrite(const fs::path& path) {
  return {ErrorCode::CannotWrite, std::string("cannot be written (") + std::strerror(errno) + ")", path.string()};
}

std::vector<fs::path> filesOfShards(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "lines", error))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  return files;
}

// What killed runs have not finished.
void removeLeftovers(const fs::path& folder) {
  std::error_code ignored;
  fs::remove_all(folder / ".work", ignored);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (io::isTemporaryFileName(entry.path().filename().string())) fs::remove(entry.path(), ignored);
}

} // namespace

struct Store::State {
  fs::path folder;
  Use use = Use::Look;
  fs::path own_lines;   // the file that this process appends to
  std::string own_name; // of this process
  int lock = -1, log = -1;
  std::mutex mutex;

  ~State() {
    std::error_code ignored;
    if (use != Use::Look) {
      fs::remove_all(folder / ".work" / own_name, ignored);
      fs::remove(folder / ".work", ignored); // if it is empty
    }
    if (log >= 0) ::close(log);
    if (lock >= 0) ::close(lock);
  }

  Result<void> takeLock() {
    const fs::path path = folder / ".lock";
    lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0) return cannotWrite(path);
    if (::flock(lock, (use == Use::Whole ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) return {};
    if (errno != EWOULDBLOCK) return {}; // a file system without locks
    return Error{ErrorCode::CannotWrite, "is used by another batch at the moment; wait until it ends", folder.string()};
  }

  // The log, which ends at a line end: a killed process may have written a part of its last line.
  Result<void> openLog() {
    log = ::open(own_lines.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log < 0) return cannotWrite(own_lines);
    const off_t size = ::lseek(log, 0, SEEK_END);
    char last = '\n';
    if (size > 0 && ::pread(log, &last, 1, size - 1) == 1 && last != '\n' && ::write(log, "\n", 1) != 1)
      return cannotWrite(own_lines);
    return {};
  }
};

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

Result<Store> Store::open(const std::string& folder, Use use) {
  auto state = std::make_unique<State>();
  std::error_code error;
  state->folder = fs::absolute(folder, error).lexically_normal();
  state->own_name = io::unpredictableName();
  if (use == Use::Look) return Store(std::move(state));
  fs::create_directories(state->folder, error);
  if (std::error_code ignored; !fs::is_directory(state->folder, ignored))
    return Error{ErrorCode::CannotWrite,
                 "cannot be made a folder (" + error.message() + "); give another output folder",
                 state->folder.string()};
  state->use = use;
  if (auto locked = state->takeLock(); !locked) {
    state->use = Use::Look;
    return locked.error();
  }
  if (use == Use::Whole) removeLeftovers(state->folder);
  state->own_lines = state->folder / "batch.jsonl";
  if (use == Use::Shard) {
    fs::create_directories(state->folder / "lines", error);
    state->own_lines = state->folder / "lines" / (state->own_name + ".jsonl");
  }
  return Store(std::move(state));
}

std::string Store::itemsFolder() const {
  return (state_->folder / "items").string();
}

std::string Store::workFolder() const {
  return (state_->folder / ".work" / state_->own_name).string();
}

LinesByItem Store::lines() const {
  LinesByItem lines;
  readLines((state_->folder / "batch.jsonl").string(), lines);
  for (const fs::path& path : filesOfShards(state_->folder)) readLines(path.string(), lines);
  return lines;
}

Result<void> Store::append(const BatchLine& line) {
  const std::string text = textOf(line);
  const std::lock_guard guard(state_->mutex);
  if (state_->log < 0) SKINCELLS_CHECK(state_->openLog());
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t n = ::write(state_->log, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return cannotWrite(state_->own_lines);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Result<void> Store::rewrite(const std::vector<const BatchLine*>& lines) {
  const auto write = [&](const Sink& sink) {
    for (const BatchLine* line : lines) {
      const std::string text = textOf(*line);
      if (!sink({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()})) return false;
    }
    return true;
  };
  OutputSet outputs;
  SKINCELLS_CHECK(outputs.stage((state_->folder / "batch.jsonl").string(), write, true));
  SKINCELLS_CHECK(outputs.commit());
  if (state_->log >= 0) ::close(state_->log);
  state_->log = -1;
  // Killed before this, the next run finds lines twice, which does no harm.
  std::error_code ignored;
  for (const fs::path& path : filesOfShards(state_->folder)) fs::remove(path, ignored);
  fs::remove(state_->folder / "lines", ignored);
  return {};
}

} // namespace skincells::batch
