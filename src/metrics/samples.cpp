#include "metrics/samples.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/parallel.h"

namespace skincells::metrics {
namespace {

constexpr std::size_t kChunk = 65536;
constexpr unsigned kLowerBits = 16;

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

double Samples::percentile(double share) const {
  if (values_.empty()) return 0;
  const double place = share * static_cast<double>(values_.size() - 1);
  const double whole = std::floor(place);
  // Bits of positive numbers are in the order of the numbers. Their upper half finds a few among which the value is.
  const auto bucketOf = [](float value) { return std::bit_cast<std::uint32_t>(value) >> kLowerBits; };
  std::vector<std::uint32_t> sizes(std::size_t{1} << (32 - kLowerBits));
  for (float v : values_) ++sizes[bucketOf(v)];
  std::size_t bucket = 0, rank = static_cast<std::size_t>(whole);
  while (rank >= sizes[bucket]) rank -= sizes[bucket++];
  std::vector<float> inside;
  float above = values_.front(); // the smallest of a higher bucket
  bool any_above = false;
  for (float v : values_) {
    if (bucketOf(v) == bucket) inside.push_back(v);
    if (bucketOf(v) <= bucket || (any_above && v >= above)) continue;
    above = v;
    any_above = true;
  }
  const auto at = inside.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(inside.begin(), at, inside.end());
  if (at + 1 != inside.end())
    above = *std::min_element(at + 1, inside.end());
  else if (!any_above)
    return *at;
  return *at + (above - *at) * (place - whole);
}

} // namespace skincells::metrics
