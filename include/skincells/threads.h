// How many threads the library uses.
#pragma once

namespace skincells {

// Limits the library to `count` threads while the object lives; 0: as many as the machine has. Results do not
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
