// The stages of a bind: told to the caller, timed, and left when the caller wants to stop.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/bind.h"
#include "skincells/progress.h"

namespace skincells::binding {

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
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
    timings_.push_back({std::string(name_), seconds.count()});
    name_ = {};
  }

  // A progress function for work inside the current stage, which reaches to `end` of the whole. It remembers when the
  // caller asked to stop.
  ProgressFunction within(double begin, double end) {
    return [this, begin, end](std::string_view, double fraction) {
      stopped_ = stopped_ || (progress_ && !progress_(name_, begin + (end - begin) * fraction));
      return !stopped_;
    };
  }
  bool stopped() const { return stopped_; }

private:
  const ProgressFunction& progress_;
  std::vector<StageTime>& timings_;
  std::string_view name_;
  std::chrono::steady_clock::time_point start_;
  bool stopped_ = false;
};

} // namespace skincells::binding
