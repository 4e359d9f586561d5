// Ends the program when it uses too much memory.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace skincells::cli {

// While it lives, looks every few milliseconds at the memory in use, without files mapped into it (on Linux), and calls
// `endOverMemory` (ending.h) above the limit.
class MemoryWatch {
public:
  // megabytes: 0 is no limit.
  explicit MemoryWatch(int megabytes);
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

private:
  void watch(std::uint64_t most_bytes);

  std::mutex mutex_;
  std::condition_variable done_changed_;
  bool done_ = false;
  std::thread thread_;
};

} // namespace skincells::cli
