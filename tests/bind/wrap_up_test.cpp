#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "bind/wrap_up.h"

namespace skincells::binding {
namespace {

// What is said of a result that stretches more than its start; empty: nothing.
std::string warningOf(std::optional<double> heat_stretch) {
  SkinCells cells;
  cells.guard.start_stretch_rms = 0.1;
  cells.guard.findings = {{.candidate = "result", .stretch_rms = 0.13}};
  cells.heat_stretch = heat_stretch;
  BindReport report;
  noteCells(cells, "someone", report);
  for (const Warning& w : report.warnings)
    if (w.code == "bind.stretches_more") return w.message;
  return "";
}

TEST(WrapUp, SaysWhenTheResultStretchesMuchMoreThanItsStart) {
  EXPECT_EQ(warningOf(std::nullopt), "");
  EXPECT_NE(warningOf(0.117).find("30 % more than"), std::string::npos);
  EXPECT_NE(warningOf(0.117).find("--method heat they would stretch 10 % less"), std::string::npos);
  EXPECT_NE(warningOf(0.143).find("--method heat they would stretch 10 % more"), std::string::npos);
}

} // namespace
} // namespace skincells::binding
