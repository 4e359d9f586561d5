// The stages of a bind: told to the caller, timed, and left when the caller wants to stop.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/bind.h"
#include "skincells/progress.h"

namespace skincells::binding {

// A stage's place in the whole, 0 .. 1.
struct Share {
  double begin = 0, end = 0;

  double at(double fraction) const { return begin + (end - begin) * fraction; }
};

// The share of skin cells in a bind; before it vertices are welded and joints chosen, after it rows are tidied.
inline constexpr double kCellsBegin = 0.05, kCellsEnd = 0.98;

// How long the whole still takes when a stage has done `fraction` of its own work in `seconds`. Nothing before there is
// something to judge by.
inline std::optional<double> secondsLeft(double seconds, const Share& share, double fraction) {
  const double done = share.at(fraction) - share.begin;
  if (!(done > 0) || !(seconds > 0)) return std::nullopt;
  return seconds / done * (1 - share.at(fraction));
}

class Stages {
public:
  Stages(const ProgressFunction& progress, std::vector<StageTime>& timings) : progress_(progress), timings_(timings) {}

  // Returns false when the caller asked to stop.
  [[nodiscard]] bool begin(std::string_view name, double fraction) {
    finish();
    name_ = name;
    start_ = std::chrono::steady_clock::now();
    stopped_ = stopped_ || (progress_ && !progress_(name, fraction));
    return !stopped_;
  }
  void finish() {
    if (name_.empty()) return;
    timings_.push_back({std::string(name_), elapsed()});
    name_ = {};
  }

  // A progress function for work inside the current stage, which has this share of the whole. It adds how long the
  // whole still takes, and remembers when the caller asked to stop.
  ProgressFunction within(const Share& share) {
    return [this, share](const Progress& inner) {
      const Progress whole{name_, share.at(inner.fraction), inner.loss, secondsLeft(elapsed(), share, inner.fraction)};
      stopped_ = stopped_ || (progress_ && !progress_(whole));
      return !stopped_;
    };
  }
  bool stopped() const { return stopped_; }

private:
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  const ProgressFunction& progress_;
  std::vector<StageTime>& timings_;
  std::string_view name_;
  std::chrono::steady_clock::time_point start_;
  bool stopped_ = false;
};

} // namespace skincells::binding
