#include <algorithm>

#include "base/parallel.h"
#include "deform/lbs.h"
#include "mesh/moving_surface.h"
#include "skincells/metrics.h"

namespace skincells {
namespace {

constexpr std::size_t kChunk = 64;
constexpr double kTolerance = 1e-4; // of the body's size: rounding is no penetration

std::vector<Vec3d> inDouble(std::span<const Vec3f> points) {
  std::vector<Vec3d> out;
  out.reserve(points.size());
  for (const Vec3f& p : points) out.push_back(toDouble(p));
  return out;
}

struct Sums {
  double count = 0, depth = 0;
  Sums& operator+=(const Sums& b) {
    count += b.count;
    depth += b.depth;
    return *this;
  }
};

} // namespace

Penetration measurePenetration(const Mesh& garment, const SparseWeights& weights, const Mesh& body,
                               const SparseWeights& body_weights, const std::vector<char>& under,
                               const std::vector<Pose>& poses) {
  Penetration out;
  const Vec3d sides = body.bounds().size();
  const double size = std::max({sides.x, sides.y, sides.z});
  const std::size_t count = garment.positions.size();
  out.vertex_depth.assign(count, 0);
  const mesh::SurfaceTree tree(body);
  if (tree.triangles().empty() || poses.empty() || count == 0 || !(size > 0)) return out;
  mesh::MovingSurface surface(tree);
  surface.move(inDouble(body.positions));
  std::vector<mesh::SurfacePlace> rest(count);
  parallelChunks(count, kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v) rest[v] = surface.nearest(toDouble(garment.positions[v]), INFINITY);
  });

  const auto isUnder = [&](std::uint32_t t) {
    return std::ranges::any_of(tree.triangles()[t], [&](std::uint32_t v) { return under[v] != 0; });
  };
  std::vector<Vec3f> posed(count), posed_body(body.positions.size());
  Sums all;
  for (const Pose& pose : poses) {
    deform::skin(garment.positions, weights, pose, posed);
    deform::skin(body.positions, body_weights, pose, posed_body);
    surface.move(inDouble(posed_body));
    all += orderedSum(count, kChunk, Sums{}, [&](std::size_t begin, std::size_t end) {
      Sums sums;
      mesh::DistanceAnchor anchor;
      for (std::size_t v = begin; v < end; ++v) {
        const double allowed = std::min(rest[v].distance, 0.0);
        const Vec3d p = toDouble(posed[v]);
        if (anchor.bound(p) > 0) continue;
        const mesh::SurfacePlace place = surface.nearest(p, INFINITY, rest[v].triangle);
        anchor.set(p, place.distance);
        const double depth = allowed - place.distance;
        if (!(depth > kTolerance * size) || !isUnder(place.triangle)) continue;
        sums += {1, depth};
        out.vertex_depth[v] = std::max(out.vertex_depth[v], static_cast<float>(100 * depth / size));
      }
      return sums;
    });
  }
  out.vertex_percent = 100 * all.count / (static_cast<double>(count) * static_cast<double>(poses.size()));
  out.mean_depth = all.count > 0 ? 100 * all.depth / all.count / size : 0;
  out.max_depth = static_cast<double>(std::ranges::max(out.vertex_depth));
  return out;
}

} // namespace skincells
