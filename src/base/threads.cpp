#include "skincells/threads.h"

#include <tbb/global_control.h>

namespace skincells {

ThreadLimit::ThreadLimit(int count) {
  if (count > 0)
    control_ = new tbb::global_control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
}

ThreadLimit::~ThreadLimit() {
  delete static_cast<tbb::global_control*>(control_);
}

} // namespace skincells
