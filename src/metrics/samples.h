// A growing list of non-negative measurements with the statistics that metrics report.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace skincells::metrics {

// Kept in single precision: millions of samples must fit, and percentiles need no more.
class Samples {
public:
  void reserve(std::size_t count) { values_.reserve(count); }
  // Appends `count` samples and returns where to write them.
  std::span<float> extend(std::size_t count);

  double rms() const;
  double max() const;
  double shareAbove(double limit) const; // 0 .. 1
  // The value below which `share` (0 .. 1) of the samples lie, interpolated between neighbors.
  double percentile(double share) const;

private:
  std::vector<float> values_;
};

} // namespace skincells::metrics
