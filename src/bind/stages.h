// The stages of a bind: reported, timed and cancellable.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/progress.h"
#include "skincells/result.h"

namespace skincells::binding {

// The part of the whole work that a stage covers, 0 .. 1.
struct Share {
  double begin = 0, end = 0;

  double at(double fraction) const { return begin + (end - begin) * fraction; }
};

// The part that skin cells cover: before it, vertices are welded and joints chosen; after it, rows are cleaned up.
inline constexpr Share kCellsShare{0.05, 0.98};

// An estimate of the time left for the whole work, given that a stage has done `fraction` of its work in `seconds`.
// Nothing until there is something to extrapolate from.
inline std::optional<double> secondsLeft(double seconds, const Share& share, double fraction) {
  const double done = share.at(fraction) - share.begin;
  if (!(done > 0) || !(seconds > 0)) return std::nullopt;
  return seconds / done * (1 - share.at(fraction));
}

class Stages {
public:
  Stages(const ProgressFunction& progress, std::vector<StageTime>& timings) : progress_(progress), timings_(timings) {}

  // Ends the current stage and begins the next. An error (Cancelled) when the caller asked to stop.
  Result<void> begin(std::string_view name, double fraction) {
    proceed(name, fraction);
    if (stopped_) return cancelled();
    return {};
  }
  // The same once there is a result worth keeping: a request to stop is remembered, but is no error.
  void proceed(std::string_view name, double fraction) {
    finish();
    name_ = name;
    start_ = std::chrono::steady_clock::now();
    stopped_ = stopped_ || (progress_ && !progress_({name, fraction, {}, {}}));
  }
  void finish() {
    if (name_.empty()) return;
    const auto known = std::ranges::find(timings_, name_, &StageTime::name);
    if (known == timings_.end())
      timings_.push_back({std::string(name_), elapsed()});
    else
      known->seconds += elapsed(); // a stage of several skeletons
    name_ = {};
  }

  // A progress function for work inside the current stage. It adds the time left and remembers a request to stop.
  ProgressFunction within(const Share& share) {
    return [this, share](const Progress& inner) {
      const Progress whole{name_, share.at(inner.fraction), inner.loss, secondsLeft(elapsed(), share, inner.fraction)};
      stopped_ = stopped_ || (progress_ && !progress_(whole));
      return !stopped_;
    };
  }
  bool stopped() const { return stopped_; }
  static Error cancelled() { return {ErrorCode::Cancelled, "stopped before there was a result", ""}; }

private:
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  const ProgressFunction& progress_;
  std::vector<StageTime>& timings_;
  std::string_view name_;
  std::chrono::steady_clock::time_point start_;
  bool stopped_ = false;
};

} // namespace skincells::binding
