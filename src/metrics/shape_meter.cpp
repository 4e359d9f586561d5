#include "metrics/shape_meter.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/parallel.h"
#include "mesh/triangle.h"

namespace skincells::metrics {
namespace {

constexpr std::size_t kChunk = 4096;
constexpr double kCollapsedArea = 1e-3;    // relative to the bind area
constexpr double kShortestRatio = 1e-6;    // smallest ratio of edge lengths; keeps the logarithm finite
constexpr double kSmallestVolume = 1e-12;  // relative to the cubed diagonal; ratios of smaller volumes are noise
constexpr std::size_t kAllPairsLimit = 64; // seam vertices compared pair by pair

Vec3d corner(std::span<const Vec3f> positions, const Triangle& t, std::size_t k) {
  return toDouble(positions[t[k]]);
}

// A total order of rows that makes equal rows adjacent.
bool rowLess(const SparseWeights& weights, std::uint32_t a, std::uint32_t b) {
  if (!std::ranges::equal(weights.jointRow(a), weights.jointRow(b)))
    return std::ranges::lexicographical_compare(weights.jointRow(a), weights.jointRow(b));
  return std::ranges::lexicographical_compare(weights.weightRow(a), weights.weightRow(b));
}

// The blended transform of a vertex, its linear part only.
Affine blendedTurn(const SparseWeights& weights, std::uint32_t v, const Pose& pose) {
  const auto joints = weights.jointRow(v);
  const auto values = weights.weightRow(v);
  Affine sum{.m = {}};
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] == 0) continue;
    const Affine& turn = pose[joints[k]];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) sum.m[r][c] += static_cast<double>(values[k]) * turn.m[r][c];
  }
  return sum;
}

double distance(const Vec3f& a, const Vec3f& b) {
  return length(toDouble(a) - toDouble(b));
}

// Largest distance between two of the vertices. Exact for up to kAllPairsLimit of them; for more, which real meshes do
// not have, the distance from the vertex farthest from the first to the vertex farthest from that one.
double widestGap(const std::vector<std::uint32_t>& vertices, std::span<const Vec3f> posed) {
  const auto farthestFrom = [&](std::uint32_t from) {
    return *std::max_element(vertices.begin(), vertices.end(), [&](std::uint32_t a, std::uint32_t b) {
      return distance(posed[a], posed[from]) < distance(posed[b], posed[from]);
    });
  };
  if (vertices.size() > kAllPairsLimit) {
    const std::uint32_t far = farthestFrom(vertices.front());
    return distance(posed[far], posed[farthestFrom(far)]);
  }
  double widest = 0;
  for (std::size_t i = 1; i < vertices.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) widest = std::max(widest, distance(posed[vertices[i]], posed[vertices[k]]));
  return widest;
}

} // namespace

ShapeMeter::ShapeMeter(const Mesh& mesh, const SparseWeights& weights)
    : weights_(weights), weld_(weldByPosition(mesh.positions, weldTolerance(mesh))), welded_(weldedMesh(mesh, weld_)),
      diagonal_(mesh.bounds().diagonal()), edges_(mesh::findEdges(welded_.triangles)),
      welded_posed_(welded_.positions.size()), welded_turns_(welded_.positions.size()), squared_stretch_(edges_.size()),
      flips_(welded_.triangles.size()) {
  bind_normals_.reserve(welded_.triangles.size());
  for (const Triangle& t : welded_.triangles) bind_normals_.push_back(mesh::areaNormal(welded_.positions, t));
  findClosedParts();
  findSeams(mesh);
}

void ShapeMeter::findClosedParts() {
  const Islands islands = findIslands(welded_);
  std::vector<bool> closed(islands.count, true);
  for (const mesh::Edge& e : edges_)
    if (e.triangle_count != 2) closed[islands.island_of_vertex[e.a]] = false;
  std::vector<ClosedPart> parts(islands.count);
  for (std::uint32_t t = 0; t < welded_.triangles.size(); ++t)
    parts[islands.island_of_vertex[welded_.triangles[t][0]]].triangles.push_back(t);
  for (std::uint32_t i = 0; i < islands.count; ++i) {
    if (!closed[i] || parts[i].triangles.empty()) continue;
    parts[i].volume = volumeOf(parts[i], welded_.positions);
    closed_parts_.push_back(std::move(parts[i]));
  }
}

void ShapeMeter::findSeams(const Mesh& mesh) {
  std::vector<std::vector<std::uint32_t>> groups(weld_.weldedCount());
  for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v) groups[weld_.welded_of_vertex[v]].push_back(v);
  for (auto& group : groups) {
    if (group.size() < 2) continue;
    std::sort(group.begin(), group.end(), [this](std::uint32_t a, std::uint32_t b) { return rowLess(weights_, a, b); });
    const auto same = [this](std::uint32_t a, std::uint32_t b) {
      return !rowLess(weights_, a, b) && !rowLess(weights_, b, a);
    };
    group.erase(std::unique(group.begin(), group.end(), same), group.end());
    if (group.size() > 1) seams_.push_back(std::move(group));
  }
}

double ShapeMeter::volumeOf(const ClosedPart& part, std::span<const Vec3f> positions) const {
  // Corners relative to a vertex of the part, to avoid cancellation far from the origin.
  const Vec3d origin = corner(positions, welded_.triangles[part.triangles[0]], 0);
  double sum = 0;
  for (std::uint32_t t : part.triangles) {
    const Triangle& triangle = welded_.triangles[t];
    const Vec3d a = corner(positions, triangle, 0) - origin, b = corner(positions, triangle, 1) - origin,
                c = corner(positions, triangle, 2) - origin;
    sum += dot(a, cross(b, c));
  }
  return sum / 6;
}

void ShapeMeter::add(const Pose& pose, std::span<const Vec3f> posed) {
  for (std::uint32_t w = 0; w < weld_.weldedCount(); ++w) welded_posed_[w] = posed[weld_.first_vertex[w]];
  addStretch(welded_posed_);
  addFlips(pose, welded_posed_);
  addVolumes(welded_posed_);
  addTears(posed);
}

void ShapeMeter::addStretch(std::span<const Vec3f> posed) {
  const std::span<float> out = stretch_.extend(edges_.size());
  parallelChunks(edges_.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const mesh::Edge& e = edges_[i];
      const double bind = distance(welded_.positions[e.a], welded_.positions[e.b]);
      const double ratio = bind > 0 ? distance(posed[e.a], posed[e.b]) / bind : 1;
      out[i] = static_cast<float>(std::fabs(std::log(std::max(ratio, kShortestRatio))));
      squared_stretch_[i] += out[i] * out[i];
    }
  });
}

void ShapeMeter::addFlips(const Pose& pose, std::span<const Vec3f> posed) {
  parallelChunks(welded_turns_.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t w = begin; w < end; ++w) welded_turns_[w] = blendedTurn(weights_, weld_.first_vertex[w], pose);
  });
  const auto isFlipped = [&](std::size_t t) {
    const Triangle& triangle = welded_.triangles[t];
    const Vec3d normal = mesh::areaNormal(posed, triangle);
    Vec3d carried;
    for (std::uint32_t w : triangle) carried += welded_turns_[w].applyLinear(bind_normals_[t]);
    return dot(normal, carried) < 0 || length(normal) < kCollapsedArea * length(bind_normals_[t]);
  };
  parallelChunks(welded_.triangles.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t t = begin; t < end; ++t) flips_[t] += isFlipped(t);
  });
  triangles_seen_ += welded_.triangles.size();
}

void ShapeMeter::addVolumes(std::span<const Vec3f> posed) {
  double bind = 0, now = 0; // signed: a cavity is a part with inward normals and reduces the volume
  for (const ClosedPart& part : closed_parts_) {
    bind += part.volume;
    now += volumeOf(part, posed);
  }
  if (std::fabs(bind) <= kSmallestVolume * diagonal_ * diagonal_ * diagonal_) return;
  volume_change_sum_ += std::fabs(now / bind - 1);
  ++volumes_seen_;
}

void ShapeMeter::addTears(std::span<const Vec3f> posed) {
  for (const auto& vertices : seams_) {
    const double gap = widestGap(vertices, posed);
    if (gap <= widest_gap_) continue;
    widest_gap_ = gap;
    torn_vertex_ = vertices.front();
  }
}

ShapeStatistics ShapeMeter::statistics() {
  const auto percentOf = [](double part, double whole) { return whole > 0 ? 100 * part / whole : 0.0; };
  ShapeStatistics s;
  s.stretch_rms = stretch_.rms();
  s.stretch_p99 = stretch_.percentile(0.99);
  s.extreme_edges_percent = 100 * stretch_.shareAbove(std::numbers::ln2);
  const auto flipped = std::accumulate(flips_.begin(), flips_.end(), std::uint64_t{0});
  s.flipped_percent = percentOf(static_cast<double>(flipped), static_cast<double>(triangles_seen_));
  s.volume_percent = percentOf(volume_change_sum_, static_cast<double>(volumes_seen_));
  s.tear_percent = percentOf(widest_gap_, diagonal_);
  return s;
}

} // namespace skincells::metrics
