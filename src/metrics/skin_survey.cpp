#include "metrics/skin_survey.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/assert.h"

namespace skincells::metrics {
namespace {

constexpr float kSmallestInfluence = 1e-4F;

double percentOf(double length, double diagonal) {
  return diagonal > 0 ? 100 * length / diagonal : 0;
}

// The nonzero weights of a vertex, one per joint, in the order of the joints.
using Row = std::vector<std::pair<int, double>>;

void fillRow(const SparseWeights& weights, std::size_t v, Row& row) {
  row.clear();
  for (std::size_t k = 0; k < weights.weightRow(v).size(); ++k) {
    if (!(weights.weightRow(v)[k] > 0)) continue;
    const int joint = weights.jointRow(v)[k];
    auto at = row.end();
    while (at != row.begin() && (at - 1)->first >= joint) --at;
    if (at == row.end() || at->first != joint) at = row.insert(at, {joint, 0.0});
    at->second += static_cast<double>(weights.weightRow(v)[k]);
  }
}

bool sameRow(const Row& a, const Row& b) {
  constexpr double kTolerance = 1e-3;
  for (std::size_t i = 0, k = 0; i < a.size() || k < b.size();) {
    const int in_a = i < a.size() ? a[i].first : std::numeric_limits<int>::max();
    const int in_b = k < b.size() ? b[k].first : std::numeric_limits<int>::max();
    const double weight_a = in_a <= in_b ? a[i++].second : 0, weight_b = in_b <= in_a ? b[k++].second : 0;
    if (std::abs(weight_a - weight_b) > kTolerance) return false;
  }
  return true;
}

// Fills in the statistics of joints and influences.
void surveyJoints(const Mesh& mesh, const SparseWeights& weights, std::span<const rig::BoneSegment> bones,
                  double diagonal, SkinSurvey& out) {
  std::vector<Box> boxes(out.joints.size());
  std::vector<std::vector<rig::BoneSegment>> bones_of(out.joints.size());
  for (const rig::BoneSegment& b : bones) bones_of[static_cast<std::size_t>(b.joint)].push_back(b);
  out.by_influences.resize(static_cast<std::size_t>(weights.slots) + 1);
  Row row;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3d p = toDouble(mesh.positions[v]);
    fillRow(weights, v, row);
    std::size_t influences = 0;
    std::size_t leader = out.joints.size();
    double most = 0;
    for (const auto& [joint, weight] : row) {
      const auto j = static_cast<std::size_t>(joint);
      SKINCELLS_ASSERT(j < out.joints.size());
      if (weight <= double{kSmallestInfluence}) continue;
      ++influences;
      boxes[j].add(p);
      if (weight > most) {
        most = weight;
        leader = j;
      }
    }
    ++out.by_influences[influences];
    if (leader == out.joints.size()) continue;
    ++out.joints[leader].led;
    double nearest = INFINITY;
    for (const rig::BoneSegment& b : bones_of[leader])
      nearest = std::min(nearest, rig::closestOnSegment(p, b.a, b.b).squared_distance);
    if (std::isfinite(nearest))
      out.joints[leader].farthest = std::max(out.joints[leader].farthest, percentOf(std::sqrt(nearest), diagonal));
  }
  for (std::size_t j = 0; j < boxes.size(); ++j) out.joints[j].extent = percentOf(boxes[j].diagonal(), diagonal);
}

// Joints and their shares, largest first.
void fillJoints(const std::map<int, double>& weight_of, PartSurvey& part) {
  constexpr std::size_t kMostJoints = 8;
  std::vector<std::pair<int, double>> heaviest(weight_of.begin(), weight_of.end());
  std::ranges::stable_sort(heaviest, [](const auto& a, const auto& b) { return a.second > b.second; });
  double total = 0;
  for (const auto& [joint, weight] : heaviest) total += weight;
  heaviest.resize(std::min(heaviest.size(), kMostJoints));
  for (const auto& [joint, weight] : heaviest) {
    part.joints.push_back(joint);
    part.shares.push_back(weight / total);
  }
}

std::vector<PartSurvey> surveyParts(const Mesh& mesh, const Weld& weld, const SparseWeights& weights, double diagonal) {
  const Mesh welded = weldedMesh(mesh, weld);
  const Islands islands = findIslands(welded);
  std::vector<PartSurvey> parts(islands.count);
  std::vector<Box> boxes(islands.count);
  std::vector<std::map<int, double>> weight_of(islands.count);
  std::vector<Row> first_row(islands.count);
  Row row;
  for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v) {
    const std::uint32_t i = islands.island_of_vertex[weld.welded_of_vertex[v]];
    fillRow(weights, v, row);
    if (parts[i].vertices++ == 0) {
      parts[i].first_vertex = v;
      parts[i].rigid = true;
      first_row[i] = row;
    }
    parts[i].rigid = parts[i].rigid && sameRow(row, first_row[i]);
    boxes[i].add(toDouble(mesh.positions[v]));
    for (const auto& [joint, weight] : row) weight_of[i][joint] += weight;
  }
  for (const Triangle& t : welded.triangles) ++parts[islands.island_of_vertex[t[0]]].triangles;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].size = percentOf(boxes[i].diagonal(), diagonal);
    fillJoints(weight_of[i], parts[i]);
  }
  std::erase_if(parts, [](const PartSurvey& p) { return p.triangles == 0; });
  std::ranges::stable_sort(parts, [](const PartSurvey& a, const PartSurvey& b) { return a.vertices > b.vertices; });
  return parts;
}

} // namespace

SkinSurvey surveySkin(const Mesh& mesh, const SparseWeights& weights, int joint_count,
                      std::span<const rig::BoneSegment> bones) {
  SKINCELLS_ASSERT(weights.vertexCount() == mesh.positions.size());
  const double diagonal = mesh.bounds().diagonal();
  SkinSurvey out;
  out.joints.resize(static_cast<std::size_t>(joint_count));
  surveyJoints(mesh, weights, bones, diagonal, out);
  out.parts = surveyParts(mesh, weldByPosition(mesh.positions, weldTolerance(mesh)), weights, diagonal);
  return out;
}

} // namespace skincells::metrics
