#include "studies/beside/geodesic_voxels.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "base/parallel.h"
#include "guess/proximity.h"
#include "mesh/triangle.h"
#include "weights/rows_edit.h"

namespace skincells::studies {
namespace {

enum Kind : char { Unknown, Outside, Surface }; // Unknown: inside, once the outside is flooded

// Voxels around a mesh, with a margin of two.
class Voxels {
public:
  Voxels(const Mesh& mesh, int resolution) {
    const Box box = mesh.bounds();
    const Vec3d size = box.size();
    side_ = std::max({size.x, size.y, size.z, 1e-12}) / resolution;
    corner_ = box.lo - Vec3d{2, 2, 2} * side_;
    for (int a = 0; a < 3; ++a)
      count_[a] = static_cast<int>(std::ceil((a == 0 ? size.x : a == 1 ? size.y : size.z) / side_)) + 5;
    kind_.assign(static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) *
                     static_cast<std::size_t>(count_[2]),
                 Unknown);
    for (const Triangle& t : mesh.triangles) markTriangle(mesh, t);
    floodOutside();
  }

  double side() const { return side_; }
  std::size_t size() const { return kind_.size(); }
  bool isBody(std::size_t v) const { return kind_[v] != Outside; }
  std::size_t at(const Vec3d& p) const {
    const Vec3d q = (p - corner_) * (1 / side_);
    return index(clamped(q.x, 0), clamped(q.y, 1), clamped(q.z, 2));
  }
  // Calls visit(neighbor, distance in voxels) for the 26 neighbors.
  template <class Visit> void forNeighbors(std::size_t v, const Visit& visit) const {
    const int x = static_cast<int>(v % static_cast<std::size_t>(count_[0])),
              y = static_cast<int>(v / static_cast<std::size_t>(count_[0]) % static_cast<std::size_t>(count_[1])),
              z = static_cast<int>(v / static_cast<std::size_t>(count_[0]) / static_cast<std::size_t>(count_[1]));
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dz = -1; dz <= 1; ++dz) {
          if (dx == 0 && dy == 0 && dz == 0) continue;
          if (x + dx < 0 || y + dy < 0 || z + dz < 0 || x + dx >= count_[0] || y + dy >= count_[1] ||
              z + dz >= count_[2])
            continue;
          visit(index(x + dx, y + dy, z + dz), std::sqrt(static_cast<double>(dx * dx + dy * dy + dz * dz)));
        }
  }

private:
  int clamped(double q, int axis) const { return std::clamp(static_cast<int>(std::floor(q)), 0, count_[axis] - 1); }
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(count_[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(count_[0]) +
           static_cast<std::size_t>(x);
  }
  // Marks the voxels of points at most half a voxel apart.
  void markTriangle(const Mesh& mesh, const Triangle& t) {
    const Vec3d a = toDouble(mesh.positions[t[0]]), b = toDouble(mesh.positions[t[1]]) - a,
                c = toDouble(mesh.positions[t[2]]) - a;
    const int steps = 1 + static_cast<int>(std::ceil(2 * std::max({length(b), length(c), length(b - c)}) / side_));
    for (int i = 0; i <= steps; ++i)
      for (int k = 0; k + i <= steps; ++k)
        kind_[at(a + b * (static_cast<double>(i) / steps) + c * (static_cast<double>(k) / steps))] = Surface;
  }
  void floodOutside() {
    std::vector<std::size_t> open{0}; // a corner of the margin
    kind_[0] = Outside;
    while (!open.empty()) {
      const std::size_t v = open.back();
      open.pop_back();
      forNeighbors(v, [&](std::size_t n, double distance) {
        if (distance > 1 || kind_[n] != Unknown) return; // faces only: a surface holds tight
        kind_[n] = Outside;
        open.push_back(n);
      });
    }
  }

  Vec3d corner_;
  double side_ = 1;
  int count_[3] = {};
  std::vector<Kind> kind_;
};

// Distances through the body from the segments of a joint, in voxels; infinite where it does not reach.
std::vector<float> distancesFrom(const Voxels& voxels, std::span<const rig::BoneSegment> bones, int joint) {
  std::vector<float> distance(voxels.size(), INFINITY);
  using Entry = std::pair<float, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (const rig::BoneSegment& b : bones) {
    if (b.joint != joint) continue;
    const int steps = 1 + static_cast<int>(std::ceil(2 * length(b.b - b.a) / voxels.side()));
    for (int i = 0; i <= steps; ++i)
      if (const std::size_t v = voxels.at(b.a + (b.b - b.a) * (static_cast<double>(i) / steps));
          voxels.isBody(v) && distance[v] > 0) {
        distance[v] = 0;
        open.push({0, v});
      }
  }
  while (!open.empty()) {
    const auto [d, v] = open.top();
    open.pop();
    if (d > distance[v]) continue;
    voxels.forNeighbors(v, [&, d = d](std::size_t n, double step) {
      const float there = d + static_cast<float>(step);
      if (!voxels.isBody(n) || there >= distance[n]) return;
      distance[n] = there;
      open.push({there, n});
    });
  }
  return distance;
}

} // namespace

SparseWeights geodesicVoxelWeights(const Mesh& welded, std::span<const rig::BoneSegment> bones,
                                   const VoxelOptions& options) {
  const Voxels voxels(welded, options.resolution);
  std::vector<int> joints;
  for (const rig::BoneSegment& b : bones)
    if (std::ranges::find(joints, b.joint) == joints.end()) joints.push_back(b.joint);
  const std::size_t count = welded.positions.size();
  std::vector<std::vector<float>> weights(joints.size());
  parallelChunks(joints.size(), 1, [&](std::size_t j, std::size_t, std::size_t) {
    const std::vector<float> distance = distancesFrom(voxels, bones, joints[j]);
    for (const Vec3f& p : welded.positions) {
      // Of a character with the largest side 1, so that the falloff does not depend on the resolution.
      const double d = (static_cast<double>(distance[voxels.at(toDouble(p))]) + 0.5) / options.resolution;
      const double w = 1 / ((1 - options.falloff) * d + options.falloff * d * d);
      weights[j].push_back(std::isfinite(d) ? static_cast<float>(w * w) : 0.0F);
    }
  });
  SparseWeights out(count, options.max_influences);
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t j = 0; j < joints.size(); ++j)
      weights::keepLargest(joints[j], weights[j][v], out.jointRow(v), out.weightRow(v));
  const SparseWeights nearest = guess::proximityWeights(welded.positions, {bones.begin(), bones.end()},
                                                        {.max_influences = options.max_influences});
  for (std::uint32_t v : canonicalize(out, options.max_influences)) weights::copyRow(nearest, v, out, v);
  return out;
}

} // namespace skincells::studies
