#include "skincells/bleeding.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

#include "base/assert.h"
#include "base/parallel.h"
#include "mesh/edges.h"
#include "mesh/point_tree.h"
#include "mesh/surface_measure.h"

namespace skincells {
namespace {

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

// The surface that all joints share.
class Surface {
public:
  explicit Surface(const Mesh& welded) : positions(welded.positions) {
    first_.assign(positions.size() + 1, 0);
    const std::vector<mesh::Edge> edges = mesh::findEdges(welded.triangles);
    for (const mesh::Edge& e : edges) {
      ++first_[e.a + 1];
      ++first_[e.b + 1];
    }
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    std::vector<std::uint32_t> end(first_.begin(), first_.end() - 1);
    neighbors_.resize(2 * edges.size());
    for (const mesh::Edge& e : edges) {
      neighbors_[end[e.a]++] = e.b;
      neighbors_[end[e.b]++] = e.a;
    }
    area.reserve(positions.size());
    for (const mesh::VertexMeasure& m : mesh::measureVertices(welded)) area.push_back(m.area);
    diagonal = welded.bounds().diagonal();
  }

  std::span<const std::uint32_t> neighbors(std::uint32_t v) const {
    return std::span(neighbors_).subspan(first_[v], first_[v + 1] - first_[v]);
  }
  double distance(std::uint32_t a, std::uint32_t b) const {
    return length(toDouble(positions[a]) - toDouble(positions[b]));
  }

  const std::vector<Vec3f>& positions;
  std::vector<double> area;
  double diagonal = 0;

private:
  std::vector<std::uint32_t> first_, neighbors_;
};

// Paths from the home of one joint over the vertices that carry it.
class Paths {
public:
  Paths(const Surface& surface, std::span<const Carrier> carriers)
      : surface_(surface), carriers_(carriers), distance_(carriers.size(), INFINITY),
        carrier_at_(surface.positions.size(), carriers.size()) {
    for (std::size_t i = 0; i < carriers_.size(); ++i) carrier_at_[carriers_[i].vertex] = i;
    findHome();
    for (std::uint32_t i : home_) reach(i, 0);
    spread();
  }

  // Whether the weight of each carrier bleeds.
  std::vector<char> bleeding() const {
    std::vector<std::uint32_t> members;
    for (std::uint32_t i : home_) members.push_back(carriers_[i].vertex);
    const mesh::PointTree tree(surface_.positions, std::move(members));
    std::vector<char> out(carriers_.size());
    for (std::size_t i = 0; i < carriers_.size(); ++i) {
      if (distance_[i] <= kReach * surface_.diagonal) continue;
      const std::uint32_t v = carriers_[i].vertex, nearest = tree.nearest(toDouble(surface_.positions[v]));
      out[i] = distance_[i] > kDetour * surface_.distance(v, nearest) + kReach * surface_.diagonal;
    }
    return out;
  }

private:
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
          if (const std::size_t n = carrier_at_[u];
              n < carriers_.size() && patch[n] < 0 && carriers_[n].weight >= least) {
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

  void reach(std::size_t i, double distance) {
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
      for (std::uint32_t u : surface_.neighbors(v)) {
        const double to_neighbor = distance + surface_.distance(v, u);
        if (const std::size_t n = carrier_at_[u]; n < carriers_.size()) {
          reach(n, to_neighbor);
          continue;
        }
        for (std::uint32_t w : surface_.neighbors(u)) // over one vertex without the joint
          if (const std::size_t n = carrier_at_[w]; n < carriers_.size())
            reach(n, to_neighbor + surface_.distance(u, w));
      }
    }
  }

  using Visit = std::pair<double, std::size_t>;
  const Surface& surface_;
  std::span<const Carrier> carriers_;   // by vertex
  std::vector<double> distance_;        // of each carrier from the home
  std::vector<std::size_t> carrier_at_; // vertex -> carrier; carriers_.size(): none
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

// The joint with the most weight on the vertices around each vertex; on the vertex itself if there are none.
std::vector<int> leadersAround(const Surface& surface, const SparseWeights& rows) {
  std::vector<int> leaders(rows.vertexCount(), -1);
  std::map<int, double> sums;
  for (std::uint32_t v = 0; v < leaders.size(); ++v) {
    sums.clear();
    const auto add = [&](std::uint32_t u) {
      for (std::size_t k = 0; k < rows.weightRow(u).size(); ++k)
        if (rows.weightRow(u)[k] > 0) sums[rows.jointRow(u)[k]] += static_cast<double>(rows.weightRow(u)[k]);
    };
    for (std::uint32_t u : surface.neighbors(v)) add(u);
    if (sums.empty()) add(v);
    if (!sums.empty()) leaders[v] = std::ranges::max_element(sums, {}, [](const auto& s) { return s.second; })->first;
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

Bleeding measureBleeding(const Mesh& mesh, const SparseWeights& weights, const Skeleton& skeleton) {
  SKINCELLS_ASSERT(weights.vertexCount() == mesh.positions.size());
  const Weld weld = weldByPosition(mesh.positions, weldTolerance(mesh));
  const Mesh welded = weldedMesh(mesh, weld);
  const Surface surface(welded);
  const SparseWeights rows = gatherRows(weights, weld.first_vertex);
  const auto carriers = carriersOf(rows, skeleton.joints.size());
  std::vector<std::vector<char>> bleeding(carriers.size());
  parallelChunks(carriers.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t j = begin; j < end; ++j)
      if (!carriers[j].empty()) bleeding[j] = Paths(surface, carriers[j]).bleeding();
  });

  const std::vector<int> leaders = leadersAround(surface, rows);
  Bleeding out;
  out.of_joint.assign(carriers.size(), 0);
  std::vector<float> of_welded(welded.positions.size(), 0);
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
  for (std::uint32_t v : weld.welded_of_vertex) {
    out.of_vertex.push_back(std::min(of_welded[v], 1.0F));
    out.vertices += of_welded[v] >= kBleedingVertex ? 1 : 0;
  }
  return out;
}

} // namespace skincells
