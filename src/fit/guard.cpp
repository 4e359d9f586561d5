#include "fit/guard.h"

#include <algorithm>
#include <cmath>

#include "fit/tuning.h"
#include "metrics/stretch_meter.h"
#include "skincells/options.h"

namespace skincells::fit {
namespace {

// Chosen so that none of the measured characters comes near them (docs/experiments.md).
std::string shortNumber(double x) {
  return options::printReal(std::round(x * 1000) / 1000);
}

int countEmpty(const SparseWeights& weights) {
  int empty = 0;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    const auto row = weights.weightRow(v);
    const bool finite = std::ranges::all_of(row, [](float w) { return std::isfinite(w); });
    const bool any = std::ranges::any_of(row, [](float w) { return w > 0; });
    empty += !(finite && any);
  }
  return empty;
}

} // namespace

Guard::Guard(const Mesh& mesh, const SparseWeights& start, std::vector<Pose> poses, int joint_count, bool enabled)
    : mesh_(mesh), surface_(mesh), poses_(std::move(poses)),
      start_weight_(weightStatistics(start, joint_count).mass_of_joint) {
  report_.enabled = enabled;
  report_.start_stretch_rms = stretchOf(start);
}

double Guard::stretchOf(const SparseWeights& weights) const {
  return metrics::stretchRms(mesh_, surface_, weights, poses_);
}

bool Guard::stretchesMore() const {
  const double start = report_.start_stretch_rms;
  return !report_.findings.empty() && start > 0 && report_.findings.back().stretch_rms > kStretchNoticed * start;
}

GuardFinding Guard::measure(const std::string& candidate, const SparseWeights& weights) const {
  GuardFinding finding;
  finding.candidate = candidate;
  finding.empty_vertices = countEmpty(weights);
  finding.stretch_rms = stretchOf(weights);
  const auto now = weightStatistics(weights, static_cast<int>(start_weight_.size())).mass_of_joint;
  const double least = std::max(kLeastWeight, kLeastWeightShare * static_cast<double>(weights.vertexCount()));
  for (std::size_t j = 0; j < start_weight_.size(); ++j)
    finding.lost_joints += start_weight_[j] >= least && !(now[j] >= kLostBelow * start_weight_[j]);
  return finding;
}

std::string Guard::reasonAgainst(const GuardFinding& f) const {
  if (f.empty_vertices > 0)
    return std::to_string(f.empty_vertices) + (f.empty_vertices == 1 ? " vertex" : " vertices") +
           " had no usable weight";
  if (f.lost_joints > 0)
    return std::to_string(f.lost_joints) + (f.lost_joints == 1 ? " joint" : " joints") + " lost all weight";
  const double limit = std::max(kStretchFloor, kStretchFactor * report_.start_stretch_rms);
  if (f.stretch_rms <= limit) return {};
  return "posed edges stretched by " + shortNumber(f.stretch_rms) + " (rms of |ln|), " +
         shortNumber(report_.start_stretch_rms) + " at the start";
}

bool Guard::accept(const std::string& candidate, const SparseWeights& weights) {
  GuardFinding finding = measure(candidate, weights);
  if (report_.enabled) finding.reason = reasonAgainst(finding);
  finding.accepted = finding.reason.empty();
  report_.findings.push_back(finding);
  return finding.accepted;
}

void Guard::acceptLast(const std::string& candidate, const SparseWeights& weights) {
  report_.findings.push_back(measure(candidate, weights));
}

std::string Guard::complaint() const {
  std::string out;
  for (const GuardFinding& f : report_.findings)
    if (!f.accepted) out += (out.empty() ? "" : "; ") + f.candidate + ": " + f.reason;
  return out;
}

} // namespace skincells::fit
