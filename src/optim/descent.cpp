#include "optim/descent.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skincells::optim {
namespace {

constexpr double kDivergenceFactor = 10; // relative to the held-out loss at the start

// Measures the held-out loss and keeps the values with the lowest one.
class Watch {
public:
  Watch(std::span<float> values, const WatchOptions& options, const std::function<double()>& held_out)
      : values_(values), options_(options), held_out_(held_out), best_(values.begin(), values.end()) {}

  bool due(int step) const { return held_out_ && step % std::max(options_.every, 1) == 0; }

  void measure(int step) {
    if (!held_out_ || (!samples_.empty() && samples_.back().step == step)) return;
    const double loss = held_out_();
    diverged_ = !std::isfinite(loss) || (!samples_.empty() && loss > kDivergenceFactor * samples_.front().loss);
    if (!std::isfinite(loss)) return;
    samples_.push_back({step, loss});
    if (!(loss < lowest_)) return;
    lowest_ = loss;
    std::copy(values_.begin(), values_.end(), best_.begin());
  }
  // True if the lowest loss has hardly improved over the last measurements.
  bool settled() const {
    const auto patience = static_cast<std::size_t>(std::max(options_.patience, 1));
    if (!options_.stop || samples_.size() <= patience) return false;
    double before = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + patience < samples_.size(); ++i) before = std::min(before, samples_[i].loss);
    return lowest_ > before * (1 - options_.min_gain);
  }
  bool diverged() const { return diverged_; }
  void keepBest() {
    if (held_out_) std::copy(best_.begin(), best_.end(), values_.begin());
  }
  std::vector<HeldOutSample> samples() && { return std::move(samples_); }

private:
  std::span<float> values_;
  const WatchOptions& options_;
  const std::function<double()>& held_out_;
  std::vector<float> best_;
  double lowest_ = std::numeric_limits<double>::infinity();
  bool diverged_ = false;
  std::vector<HeldOutSample> samples_;
};

float rateScale(Schedule schedule, int step, int steps) {
  return schedule == Schedule::Cosine ? cosineSchedule(step, steps) : 1.0F;
}

} // namespace

DescentReport descend(std::span<float> values, Adam& adam, const DescentOptions& options, const Objective& objective) {
  DescentReport report;
  Watch watch(values, options.watch, objective.held_out);
  std::vector<float> gradient(values.size()), last_good(values.begin(), values.end());
  double loss = std::numeric_limits<double>::quiet_NaN();
  int step = 0;
  for (; step < options.steps; ++step) {
    if (objective.go_on && !objective.go_on(static_cast<double>(step) / options.steps, loss)) {
      report.stop_reason = "cancelled";
      break;
    }
    if (watch.due(step)) {
      watch.measure(step);
      if (watch.diverged() || watch.settled()) {
        report.stop_reason = watch.diverged() ? "diverged" : "settled";
        break;
      }
    }
    loss = objective.measure(step, gradient);
    if (!std::isfinite(loss)) {
      std::copy(last_good.begin(), last_good.end(), values.begin());
      report.stop_reason = "diverged";
      break;
    }
    report.loss.push_back(loss);
    std::copy(values.begin(), values.end(), last_good.begin());
    adam.step(values, gradient, rateScale(options.schedule, step, options.steps));
    if (objective.constrain) objective.constrain();
  }
  watch.measure(step);
  if (watch.diverged() && report.stop_reason == "done") report.stop_reason = "diverged";
  watch.keepBest();
  report.held_out = std::move(watch).samples();
  return report;
}

} // namespace skincells::optim
