// How many threads the library uses.
#pragma once

namespace skincells {

// Limits the library to `count` threads during the lifetime of the object; 0: one per hardware thread. Results do not
// depend on the number.
class ThreadLimit {
public:
  explicit ThreadLimit(int count);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
  void* control_ = nullptr;
};

} // namespace skincells
