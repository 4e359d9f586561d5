#include "metrics/surface_bleeding.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>

#include "base/assert.h"
#include "base/parallel.h"
#include "mesh/point_tree.h"

namespace skincells {
namespace {

using metrics::WeldedSurface;

constexpr float kCarried = 0.01F;    // smaller weights neither lead nor bleed
constexpr float kHomeWeight = 0.5F;  // of the joint's largest
constexpr double kSecondHome = 0.25; // of the largest patch
constexpr double kReach = 0.05;      // of the diagonal
constexpr double kDetour = 1.5;      // times the straight distance
constexpr int kMeetingSteps = 2;     // up or down the skeleton
constexpr float kBleedingVertex = 0.05F;

// A vertex that carries the joint.
struct Carrier {
  std::uint32_t vertex = 0;
  float weight = 0;
};

// Paths from the home of one joint over the vertices that carry it.
class Paths {
public:
  // reach: longer paths may bleed. carrier_at: by vertex, all kNone before and after.
  Paths(const WeldedSurface& surface, std::span<const Carrier> carriers, double reach,
        std::vector<std::uint32_t>& carrier_at)
      : surface_(surface), carriers_(carriers), reach_(reach), distance_(carriers.size(), INFINITY),
        carrier_at_(carrier_at) {
    for (std::uint32_t i = 0; i < carriers_.size(); ++i) carrier_at_[carriers_[i].vertex] = i;
    findHome();
    if (!areAllNear()) {
      distance_.assign(distance_.size(), INFINITY);
      for (std::uint32_t i : home_) offer(i, 0);
      spread();
    }
    for (const Carrier& c : carriers_) carrier_at_[c.vertex] = kNone;
  }
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  // Whether the weight of each carrier bleeds.
  std::vector<char> bleeding() const {
    std::vector<char> out(carriers_.size());
    std::optional<mesh::PointTree> tree; // few joints have carriers beyond their reach
    for (std::size_t i = 0; i < carriers_.size(); ++i) {
      if (distance_[i] <= reach_) continue;
      if (!tree) tree.emplace(surface_.mesh.positions, homeVertices());
      const std::uint32_t v = carriers_[i].vertex, nearest = tree->nearest(toDouble(surface_.mesh.positions[v]));
      out[i] = distance_[i] > kDetour * surface_.distance(v, nearest) + reach_;
    }
    return out;
  }

private:
  std::vector<std::uint32_t> homeVertices() const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i : home_) out.push_back(carriers_[i].vertex);
    return out;
  }

  void findHome() {
    const float least = kHomeWeight * std::ranges::max(carriers_, {}, &Carrier::weight).weight;
    std::vector<int> patch(carriers_.size(), -1);
    std::vector<double> mass;
    std::vector<std::size_t> stack;
    for (std::size_t i = 0; i < carriers_.size(); ++i) {
      if (patch[i] >= 0 || carriers_[i].weight < least) continue;
      patch[i] = static_cast<int>(mass.size());
      mass.push_back(0);
      stack.assign(1, i);
      while (!stack.empty()) {
        const std::size_t at = stack.back();
        stack.pop_back();
        const std::uint32_t v = carriers_[at].vertex;
        mass.back() += surface_.area[v] * static_cast<double>(carriers_[at].weight);
        for (std::uint32_t u : surface_.neighbors(v))
          if (const std::uint32_t n = carrier_at_[u]; n != kNone && patch[n] < 0 && carriers_[n].weight >= least) {
            patch[n] = patch[at];
            stack.push_back(n);
          }
      }
    }
    const double enough = kSecondHome * std::ranges::max(mass);
    for (std::size_t i = 0; i < carriers_.size(); ++i)
      if (patch[i] >= 0 && mass[static_cast<std::size_t>(patch[i])] >= enough)
        home_.push_back(static_cast<std::uint32_t>(i));
  }

  // Whether some path to every carrier is within the reach: those with the fewest edges are tried, which takes much
  // less time than finding the shortest, and is enough for most joints.
  bool areAllNear() {
    std::vector<std::uint32_t> reached = home_;
    for (std::uint32_t i : home_) distance_[i] = 0;
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const std::uint32_t i = reached[next], v = carriers_[i].vertex;
      for (std::size_t e = 0; e < surface_.neighbors(v).size(); ++e) {
        const std::uint32_t n = carrier_at_[surface_.neighbors(v)[e]];
        if (n == kNone || distance_[n] < INFINITY) continue;
        distance_[n] = distance_[i] + surface_.lengths(v)[e];
        if (distance_[n] > reach_) return false;
        reached.push_back(n);
      }
    }
    return reached.size() == carriers_.size();
  }

  void offer(std::size_t i, double distance) {
    if (distance >= distance_[i]) return;
    distance_[i] = distance;
    queue_.push({distance, i});
  }

  void spread() {
    while (!queue_.empty()) {
      const auto [distance, i] = queue_.top();
      queue_.pop();
      if (distance > distance_[i]) continue;
      const std::uint32_t v = carriers_[i].vertex;
      for (std::size_t e = 0; e < surface_.neighbors(v).size(); ++e) {
        const std::uint32_t u = surface_.neighbors(v)[e];
        const double to_neighbor = distance + surface_.lengths(v)[e];
        if (const std::uint32_t n = carrier_at_[u]; n != kNone) {
          offer(n, to_neighbor);
          continue;
        }
        for (std::size_t f = 0; f < surface_.neighbors(u).size(); ++f) // over one vertex without the joint
          if (const std::uint32_t n = carrier_at_[surface_.neighbors(u)[f]]; n != kNone)
            offer(n, to_neighbor + surface_.lengths(u)[f]);
      }
    }
  }

  using Visit = std::pair<double, std::size_t>;
  const WeldedSurface& surface_;
  std::span<const Carrier> carriers_; // by vertex
  double reach_;
  std::vector<double> distance_;           // of each carrier from the home
  std::vector<std::uint32_t>& carrier_at_; // vertex -> carrier
  std::vector<std::uint32_t> home_;
  std::priority_queue<Visit, std::vector<Visit>, std::greater<>> queue_;
};

std::vector<std::vector<Carrier>> carriersOf(const SparseWeights& rows, std::size_t joint_count) {
  std::vector<std::vector<Carrier>> out(joint_count);
  for (std::uint32_t v = 0; v < rows.vertexCount(); ++v)
    for (std::size_t k = 0; k < rows.weightRow(v).size(); ++k)
      if (const float w = rows.weightRow(v)[k]; w >= kCarried) {
        SKINCELLS_ASSERT(rows.jointRow(v)[k] < out.size());
        auto& list = out[rows.jointRow(v)[k]];
        if (!list.empty() && list.back().vertex == v)
          list.back().weight += w;
        else
          list.push_back({v, w});
      }
  return out;
}

// The joint with the most weight on the vertices around each vertex; on the vertex itself if there are none. Of equal
// joints, the first.
std::vector<int> leadersAround(const WeldedSurface& surface, const SparseWeights& rows, std::size_t joint_count) {
  std::vector<int> leaders(rows.vertexCount(), -1);
  std::vector<double> sums(joint_count, 0);
  std::vector<int> touched;
  for (std::uint32_t v = 0; v < leaders.size(); ++v) {
    touched.clear();
    const auto add = [&](std::uint32_t u) {
      for (std::size_t k = 0; k < rows.weightRow(u).size(); ++k) {
        if (!(rows.weightRow(u)[k] > 0)) continue;
        double& sum = sums[rows.jointRow(u)[k]];
        if (sum == 0) touched.push_back(rows.jointRow(u)[k]);
        sum += static_cast<double>(rows.weightRow(u)[k]);
      }
    };
    for (std::uint32_t u : surface.neighbors(v)) add(u);
    if (touched.empty()) add(v);
    double most = 0;
    for (int j : touched) {
      double& sum = sums[static_cast<std::size_t>(j)];
      if (sum > most || (sum == most && j < leaders[v])) leaders[v] = j;
      most = std::max(most, sum);
      sum = 0;
    }
  }
  return leaders;
}

bool isAbove(const Skeleton& skeleton, int above, int joint) {
  for (int step = 0; step <= kMeetingSteps && joint != kNoParent; ++step) {
    if (joint == above) return true;
    joint = skeleton.joints[static_cast<std::size_t>(joint)].parent;
  }
  return false;
}

bool meet(const Skeleton& skeleton, int a, int b) {
  return isAbove(skeleton, a, b) || isAbove(skeleton, b, a);
}

} // namespace

Bleeding metrics::measureBleeding(const WeldedSurface& surface, const SparseWeights& weights,
                                  const Skeleton& skeleton) {
  SKINCELLS_ASSERT(weights.vertexCount() == surface.weld.welded_of_vertex.size());
  const SparseWeights rows = gatherRows(weights, surface.weld.first_vertex);
  const auto carriers = carriersOf(rows, skeleton.joints.size());
  std::vector<std::vector<char>> bleeding(carriers.size());
  const double reach = kReach * surface.mesh.bounds().diagonal();
  constexpr std::size_t kChunk = 8;
  parallelChunks(carriers.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<std::uint32_t> carrier_at(surface.mesh.positions.size(), Paths::kNone);
    for (std::size_t j = begin; j < end; ++j)
      if (!carriers[j].empty()) bleeding[j] = Paths(surface, carriers[j], reach, carrier_at).bleeding();
  });

  const std::vector<int> leaders = leadersAround(surface, rows, carriers.size());
  Bleeding out;
  out.of_joint.assign(carriers.size(), 0);
  std::vector<float> of_welded(surface.mesh.positions.size(), 0);
  double total = 0;
  for (std::size_t j = 0; j < carriers.size(); ++j)
    for (std::size_t i = 0; i < carriers[j].size(); ++i) {
      const Carrier& c = carriers[j][i];
      const double weight = surface.area[c.vertex] * static_cast<double>(c.weight);
      total += weight;
      if (bleeding[j][i] == 0 || meet(skeleton, static_cast<int>(j), leaders[c.vertex])) continue;
      out.of_joint[j] += weight;
      of_welded[c.vertex] += c.weight;
    }
  for (double& part : out.of_joint) {
    part = total > 0 ? 100 * part / total : 0;
    out.percent += part;
  }
  for (std::uint32_t v : surface.weld.welded_of_vertex) {
    out.of_vertex.push_back(std::min(of_welded[v], 1.0F));
    out.vertices += of_welded[v] >= kBleedingVertex ? 1 : 0;
  }
  return out;
}

Bleeding measureBleeding(const Mesh& mesh, const SparseWeights& weights, const Skeleton& skeleton) {
  return metrics::measureBleeding(metrics::WeldedSurface(mesh), weights, skeleton);
}

} // namespace skincells
