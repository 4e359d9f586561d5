#include "io/temporaries.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "skincells/io/output_set.h"

namespace skincells {
namespace io {
namespace {

struct Entry {
  std::string path;
  bool is_folder = false;
};

// Never destroyed: a handler may run while the process ends.
struct Registry {
  std::mutex mutex; // sections, one at a time
  std::vector<Entry> entries;
};
Registry& registry() {
  static auto* const instance = new Registry;
  return *instance;
}

enum State { kFree, kInSection, kEnding };
std::atomic<int> state{kFree};
static_assert(std::atomic<int>::is_always_lock_free, "used in signal handlers");
std::atomic<Registry*> known{nullptr}; // for handlers, which must not construct anything

} // namespace

TemporarySection::TemporarySection() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask_);
  registry().mutex.lock();
  known = &registry();
  int expected = kFree;
  open_ = state.compare_exchange_strong(expected, kInSection);
}

TemporarySection::~TemporarySection() {
  if (open_) state = kFree;
  registry().mutex.unlock();
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
}

void TemporarySection::add(std::string path) {
  registry().entries.push_back({std::move(path), false});
}

void TemporarySection::addFolder(std::string path) {
  registry().entries.push_back({std::move(path), true});
}

void TemporarySection::forget(const std::string& path) {
  auto& entries = registry().entries;
  const auto found = std::ranges::find(entries, path, &Entry::path);
  if (found != entries.end()) entries.erase(found);
}

std::string unpredictableName() {
  std::array<std::uint8_t, 8> bytes{};
  if (::getentropy(bytes.data(), bytes.size()) != 0) std::abort(); // only fails for bad arguments
  static constexpr char kHex[] = "0123456789abcdef";
  std::string name;
  for (const std::uint8_t byte : bytes) name += {kHex[byte >> 4U], kHex[byte & 15U]};
  return name;
}

namespace {
constexpr std::string_view kStart = ".skincells-", kEnd = ".tmp";
}

std::string temporaryFileName() {
  return std::string(kStart) + unpredictableName() + std::string(kEnd);
}

bool isTemporaryFileName(std::string_view name) {
  return name.starts_with(kStart) && name.ends_with(kEnd);
}

} // namespace io

void removeTemporaries() noexcept {
  // A section blocks signals in its thread, so this is another thread, and the wait ends.
  for (int expected = io::kFree; !io::state.compare_exchange_strong(expected, io::kEnding); expected = io::kFree) {
    if (expected == io::kEnding) return;
    ::poll(nullptr, 0, 1);
  }
  const io::Registry* registry = io::known;
  if (registry == nullptr) return;
  for (auto entry = registry->entries.rbegin(); entry != registry->entries.rend(); ++entry)
    ::unlinkat(AT_FDCWD, entry->path.c_str(), entry->is_folder ? AT_REMOVEDIR : 0);
}

} // namespace skincells
