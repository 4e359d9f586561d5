#include "fit/guard.h"

#include <algorithm>
#include <cmath>

#include "skincells/metrics.h"

#include "skincells/options.h"

namespace skincells::fit {
namespace {

// Chosen so that none of the measured characters comes near them (docs/experiments.md).
constexpr double kStretchFactor = 1.5;     // times the start's
constexpr double kStretchFloor = 0.25;     // below, no stretch is a disaster
constexpr double kLeastFlesh = 8;          // sum of weights; joints with less at the start may lose it
constexpr double kLeastFleshShare = 0.003; // the same, of all vertices
constexpr double kLeft = 0.02;             // share of its flesh below which a joint has lost it

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
    : mesh_(mesh), poses_(std::move(poses)), flesh_(weightStatistics(start, joint_count).mass_of_joint) {
  report_.enabled = enabled;
  report_.start_stretch_rms = shapeStatistics(mesh_, start, poses_).stretch_rms;
}

GuardFinding Guard::measure(const std::string& candidate, const SparseWeights& weights) const {
  GuardFinding finding;
  finding.candidate = candidate;
  finding.empty_vertices = countEmpty(weights);
  finding.stretch_rms = shapeStatistics(mesh_, weights, poses_).stretch_rms;
  const auto now = weightStatistics(weights, static_cast<int>(flesh_.size())).mass_of_joint;
  const double least = std::max(kLeastFlesh, kLeastFleshShare * static_cast<double>(weights.vertexCount()));
  for (std::size_t j = 0; j < flesh_.size(); ++j)
    finding.lost_joints += flesh_[j] >= least && !(now[j] >= kLeft * flesh_[j]);
  return finding;
}

bool Guard::isDisaster(const GuardFinding& f) const {
  const double limit = std::max(kStretchFloor, kStretchFactor * report_.start_stretch_rms);
  return f.empty_vertices > 0 || f.lost_joints > 0 || !(f.stretch_rms <= limit);
}

bool Guard::accept(const std::string& candidate, const SparseWeights& weights) {
  GuardFinding finding = measure(candidate, weights);
  finding.accepted = !report_.enabled || !isDisaster(finding);
  report_.findings.push_back(finding);
  return finding.accepted;
}

void Guard::settleFor(const std::string& candidate, const SparseWeights& weights) {
  report_.findings.push_back(measure(candidate, weights));
}

std::string Guard::complaint() const {
  if (report_.findings.empty() || report_.findings.front().accepted) return {};
  const GuardFinding& f = report_.findings.front();
  if (f.empty_vertices > 0) return std::to_string(f.empty_vertices) + " vertices had no usable weight";
  if (f.lost_joints > 0) return std::to_string(f.lost_joints) + " joints had lost their flesh";
  return "posed edges stretched by " + shortNumber(f.stretch_rms) + " (rms of |ln|), " +
         shortNumber(report_.start_stretch_rms) + " at the start";
}

} // namespace skincells::fit
