#include "memory_watch.h"

#include <chrono>
#include <fstream>

#include <unistd.h>

#include "ending.h"

namespace skincells::cli {
namespace {

std::uint64_t bytesInUse() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t size = 0, resident = 0, shared = 0;
  if (!(in >> size >> resident >> shared) || resident < shared) return 0;
  return (resident - shared) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

MemoryWatch::MemoryWatch(int megabytes) {
  if (megabytes > 0) thread_ = std::thread([this, megabytes] { watch(static_cast<std::uint64_t>(megabytes) << 20U); });
}

MemoryWatch::~MemoryWatch() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  done_changed_.notify_one();
  thread_.join();
}

void MemoryWatch::watch(std::uint64_t most_bytes) {
  constexpr std::chrono::milliseconds kBetweenLooks(2);
  std::unique_lock lock(mutex_);
  do {
    if (bytesInUse() <= most_bytes) continue;
    endOverMemory();
    most_bytes += most_bytes / 4; // room to write the best result so far, where that was asked for
  } while (!done_changed_.wait_for(lock, kBetweenLooks, [this] { return done_; }));
}

} // namespace skincells::cli
