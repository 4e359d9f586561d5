#include <gtest/gtest.h>

#include <algorithm>

#include "bind/wrap_up.h"

namespace skincells::binding {
namespace {

// Whether a result is said to stretch more than its start.
bool warnsOf(double start_stretch, double stretch) {
  SkinCells cells;
  cells.guard.start_stretch_rms = start_stretch;
  cells.guard.findings = {{.candidate = "result", .stretch_rms = stretch}};
  BindReport report;
  noteCells(cells, "someone", report);
  return std::ranges::any_of(report.warnings, [](const Warning& w) { return w.code == "bind.stretches_more"; });
}

TEST(WrapUp, SaysWhenTheResultStretchesMuchMoreThanItsStart) {
  EXPECT_TRUE(warnsOf(0.1, 0.13));
  EXPECT_FALSE(warnsOf(0.1, 0.11));
  EXPECT_FALSE(warnsOf(0.1, 0.05));
  EXPECT_FALSE(warnsOf(0, 0.05)); // nothing to compare with
}

} // namespace
} // namespace skincells::binding
