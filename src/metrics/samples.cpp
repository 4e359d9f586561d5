#include "metrics/samples.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace skincells::metrics {
namespace {

constexpr std::size_t kChunk = 65536;

} // namespace

std::span<float> Samples::extend(std::size_t count) {
  values_.resize(values_.size() + count);
  return std::span(values_).last(count);
}

double Samples::rms() const {
  if (values_.empty()) return 0;
  const double sum = orderedSum(values_.size(), kChunk, 0.0, [&](std::size_t begin, std::size_t end) {
    double part = 0;
    for (std::size_t i = begin; i < end; ++i) part += static_cast<double>(values_[i]) * values_[i];
    return part;
  });
  return std::sqrt(sum / static_cast<double>(values_.size()));
}

double Samples::max() const {
  return values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end());
}

double Samples::shareAbove(double limit) const {
  if (values_.empty()) return 0;
  const auto above = std::count_if(values_.begin(), values_.end(), [&](float v) { return v > limit; });
  return static_cast<double>(above) / static_cast<double>(values_.size());
}

double Samples::percentile(double share) {
  if (values_.empty()) return 0;
  const double place = share * static_cast<double>(values_.size() - 1);
  const double whole = std::floor(place);
  const auto at = values_.begin() + static_cast<std::ptrdiff_t>(whole);
  std::nth_element(values_.begin(), at, values_.end());
  if (at + 1 == values_.end()) return *at;
  const double next = *std::min_element(at + 1, values_.end());
  return *at + (next - *at) * (place - whole);
}

} // namespace skincells::metrics
