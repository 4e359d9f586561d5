#include "bind/wrap_up.h"

#include <cmath>
#include <string>

#include "metrics/fill_unweighted.h"

namespace skincells::binding {

void noteCells(SkinCells& cells, const std::string& name, BindReport& report) {
  if (cells.stop_reason == "diverged")
    report.warnings.push_back(
        {"bind.diverged", "the pose losses grew beyond bounds; the best state before that was kept", name});
  if (!cells.guard_complaint.empty())
    report.warnings.push_back({"bind.guard",
                               "better methods were rejected (" + cells.guard_complaint +
                                   "); the weights are those of: " + cells.guard.findings.back().candidate,
                               name});
  if (cells.heat_stretch) {
    const double now = cells.guard.findings.back().stretch_rms;
    const auto percent = [](double ratio) { return std::to_string(std::lround(100 * std::fabs(ratio - 1))); };
    report.warnings.push_back({"bind.stretches_more",
                               "posed edges stretch " + percent(now / cells.guard.start_stretch_rms) +
                                   " % more than with the weights that the optimization started from; with --method "
                                   "heat they would stretch " +
                                   percent(*cells.heat_stretch / now) +
                                   (*cells.heat_stretch < now ? " % less" : " % more") +
                                   ": look at both, and keep what you like better",
                               name});
  }
  report.stop_reason = cells.stop_reason;
  report.curves = std::move(cells.curves);
  report.guard = std::move(cells.guard);
  report.rigid_part_count = static_cast<int>(cells.rigid_parts.size());
  report.symmetry = cells.symmetry;
}

void cleanUpRows(std::span<const Vec3f> positions, int max_influences, SparseWeights& weights, Warnings& warnings) {
  canonicalize(weights, max_influences);
  const std::uint32_t filled = metrics::fillUnweighted(positions, weights);
  if (filled > 0)
    warnings.push_back(
        {"bind.filled_vertices",
         std::to_string(filled) + " vertices could not be weighted and take the weights of the nearest vertex", ""});
}

} // namespace skincells::binding
