#include "metrics/confidence_survey.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace skincells::metrics {
namespace {

constexpr std::size_t kMostPlaces = 8;
constexpr double kApart = 0.1; // of the diagonal

// The joint with the largest weight of a vertex, other than `except`; -1: none.
int leaderOf(const SparseWeights& weights, std::size_t v, int except = -1) {
  int leader = -1;
  float most = 0;
  for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k)
    if (weights.weightRow(v)[k] > most && weights.jointRow(v)[k] != except) {
      most = weights.weightRow(v)[k];
      leader = weights.jointRow(v)[k];
    }
  return leader;
}

std::vector<DoubtfulPlace> leastSure(const Mesh& mesh, const SparseWeights& weights,
                                     std::span<const float> confidence) {
  std::vector<std::uint32_t> doubtful;
  for (std::uint32_t v = 0; v < confidence.size(); ++v)
    if (confidence[v] < kDoubtful) doubtful.push_back(v);
  std::ranges::stable_sort(doubtful, {}, [&](std::uint32_t v) { return confidence[v]; });
  const double apart = kApart * mesh.bounds().diagonal();
  std::vector<DoubtfulPlace> places;
  for (std::uint32_t v : doubtful) {
    if (places.size() == kMostPlaces) break;
    const Vec3d p = toDouble(mesh.positions[v]);
    if (std::ranges::any_of(places, [&](const DoubtfulPlace& q) { return length(q.position - p) < apart; })) continue;
    const int joint = leaderOf(weights, v);
    places.push_back({v, static_cast<double>(confidence[v]), p, joint, leaderOf(weights, v, joint)});
  }
  return places;
}

} // namespace

ConfidenceSurvey surveyConfidence(const Mesh& mesh, const SparseWeights& weights, std::span<const float> confidence,
                                  int joint_count) {
  SKINCELLS_ASSERT(confidence.size() == mesh.positions.size() && weights.vertexCount() == confidence.size());
  ConfidenceSurvey out;
  out.of_joint.assign(static_cast<std::size_t>(joint_count), 0);
  if (confidence.empty()) {
    out.of_joint.assign(out.of_joint.size(), 1);
    return out;
  }
  std::vector<std::uint32_t> led(out.of_joint.size(), 0);
  for (std::size_t v = 0; v < confidence.size(); ++v)
    if (const int leader = leaderOf(weights, v); leader >= 0) {
      out.of_joint[static_cast<std::size_t>(leader)] += static_cast<double>(confidence[v]);
      ++led[static_cast<std::size_t>(leader)];
    }
  for (std::size_t j = 0; j < led.size(); ++j) out.of_joint[j] = led[j] > 0 ? out.of_joint[j] / led[j] : 1;
  const auto count = static_cast<double>(confidence.size());
  out.mean = std::accumulate(confidence.begin(), confidence.end(), 0.0) / count;
  out.percent_doubtful =
      100 * static_cast<double>(std::ranges::count_if(confidence, [](float c) { return c < kDoubtful; })) / count;
  out.places = leastSure(mesh, weights, confidence);
  return out;
}

} // namespace skincells::metrics
