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

ShapeMeter::ShapeMeter(const WeldedSurface& surface, const SparseWeights& weights)
    : surface_(surface), weights_(weights), diagonal_(surface.bounds.diagonal()), posed_(surface.mesh.positions.size()),
      turns_(posed_.size()), stretch_(surface), flips_(surface.mesh.triangles.size()) {
  bind_normals_.reserve(surface.mesh.triangles.size());
  for (const Triangle& t : surface.mesh.triangles) {
    const Vec3d normal = mesh::areaNormal(surface.mesh.positions, t);
    const double collapsed = kCollapsedArea * length(normal);
    bind_normals_.push_back({normalized(normal), collapsed * collapsed});
  }
  findClosedParts();
  findSeams();
}

void ShapeMeter::findClosedParts() {
  const Islands& islands = surface_.islands;
  const std::vector<Triangle>& triangles = surface_.mesh.triangles;
  std::vector<bool> closed(islands.count, true);
  for (const mesh::Edge& e : surface_.edges)
    if (e.triangle_count != 2) closed[islands.island_of_vertex[e.a]] = false;
  std::vector<ClosedPart> parts(islands.count);
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    parts[islands.island_of_vertex[triangles[t][0]]].triangles.push_back(t);
  for (std::uint32_t i = 0; i < islands.count; ++i) {
    if (!closed[i] || parts[i].triangles.empty()) continue;
    parts[i].volume = volumeOf(parts[i], surface_.mesh.positions);
    closed_parts_.push_back(std::move(parts[i]));
  }
}

void ShapeMeter::findSeams() {
  const std::vector<std::uint32_t>& welded_of_vertex = surface_.weld.welded_of_vertex;
  std::vector<std::vector<std::uint32_t>> groups(surface_.weld.weldedCount());
  for (std::uint32_t v = 0; v < welded_of_vertex.size(); ++v) groups[welded_of_vertex[v]].push_back(v);
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
  const Vec3d origin = corner(positions, surface_.mesh.triangles[part.triangles[0]], 0);
  double sum = 0;
  for (std::uint32_t t : part.triangles) {
    const Triangle& triangle = surface_.mesh.triangles[t];
    const Vec3d a = corner(positions, triangle, 0) - origin, b = corner(positions, triangle, 1) - origin,
                c = corner(positions, triangle, 2) - origin;
    sum += dot(a, cross(b, c));
  }
  return sum / 6;
}

void ShapeMeter::add(const Pose& pose, std::span<const Vec3f> posed) {
  surface_.gather(posed, posed_);
  stretch_.add(posed_);
  addFlips(pose);
  addVolumes();
  addTears(posed);
}

void ShapeMeter::blendTurns(const Pose& pose) {
  joint_turns_.resize(pose.size());
  for (std::size_t j = 0; j < pose.size(); ++j)
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) joint_turns_[j].m[4 * c + r] = static_cast<float>(pose[j].m[r][c]);
  parallelChunks(turns_.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t w = begin; w < end; ++w) {
      const std::uint32_t v = surface_.vertexOf(static_cast<std::uint32_t>(w));
      const auto joints = weights_.jointRow(v);
      const auto values = weights_.weightRow(v);
      Turn sum;
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (values[k] == 0) continue;
        const Turn& turn = joint_turns_[joints[k]];
        for (int i = 0; i < 12; ++i) sum.m[i] += values[k] * turn.m[i];
      }
      turns_[w] = sum;
    }
  });
}

// Whether the triangle looks to the other side than its normal does that its corners carry along, or has no area left.
bool ShapeMeter::isFlipped(std::size_t t) const {
  const Triangle& triangle = surface_.mesh.triangles[t];
  const Vec3d normal = mesh::areaNormal(posed_, triangle), bind = bind_normals_[t].unit;
  Turn sum;
  for (std::uint32_t w : triangle)
    for (int i = 0; i < 12; ++i) sum.m[i] += turns_[w].m[i];
  const auto along = [&](const float* column) {
    return normal.x * static_cast<double>(column[0]) + normal.y * static_cast<double>(column[1]) +
           normal.z * static_cast<double>(column[2]);
  };
  const double facing = bind.x * along(sum.m) + bind.y * along(sum.m + 4) + bind.z * along(sum.m + 8);
  return facing < 0 || dot(normal, normal) < bind_normals_[t].least;
}

void ShapeMeter::addFlips(const Pose& pose) {
  blendTurns(pose);
  parallelChunks(flips_.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t t = begin; t < end; ++t) flips_[t] += isFlipped(t);
  });
  triangles_seen_ += flips_.size();
}

void ShapeMeter::addVolumes() {
  double bind = 0, now = 0; // signed: a cavity is a part with inward normals and reduces the volume
  for (const ClosedPart& part : closed_parts_) {
    bind += part.volume;
    now += volumeOf(part, posed_);
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

ShapeStatistics ShapeMeter::statistics() const {
  const auto percentOf = [](double part, double whole) { return whole > 0 ? 100 * part / whole : 0.0; };
  ShapeStatistics s;
  s.stretch_rms = stretch_.samples().rms();
  s.stretch_p99 = stretch_.samples().percentile(0.99);
  s.extreme_edges_percent = 100 * stretch_.samples().shareAbove(std::numbers::ln2);
  const auto flipped = std::accumulate(flips_.begin(), flips_.end(), std::uint64_t{0});
  s.flipped_percent = percentOf(static_cast<double>(flipped), static_cast<double>(triangles_seen_));
  s.volume_percent = percentOf(volume_change_sum_, static_cast<double>(volumes_seen_));
  s.tear_percent = percentOf(widest_gap_, diagonal_);
  return s;
}

} // namespace skincells::metrics
