#include "levels/surface_distance.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "deform/lbs.h"
#include "mesh/ray_query.h"

namespace skincells::levels {
namespace {

// Vertices of each surface that are measured. More of them hardly change the result.
constexpr std::size_t kMostSamples = 10000;

std::size_t samplesOf(std::size_t vertex_count) {
  return std::min(vertex_count, kMostSamples);
}

struct Sum {
  double squares = 0, largest = 0;
  Sum& operator+=(const Sum& other) {
    squares += other.squares;
    largest = std::max(largest, other.largest);
    return *this;
  }
};

Sum distances(const std::vector<Vec3f>& points, const mesh::RayQuery& surface) {
  const std::size_t count = samplesOf(points.size());
  return orderedSum(count, 512, Sum{}, [&](std::size_t begin, std::size_t end) {
    Sum sum;
    for (std::size_t i = begin; i < end; ++i)
      if (const auto hit = surface.closestPoint(toDouble(points[i * points.size() / count])))
        sum += {hit->distance * hit->distance, hit->distance};
    return sum;
  });
}

Mesh posed(const SkinnedSurface& s, const Pose& pose) {
  Mesh out;
  out.triangles = s.mesh->triangles;
  out.positions.resize(s.mesh->positions.size());
  deform::skin(s.mesh->positions, *s.weights, pose, out.positions);
  return out;
}

} // namespace

SurfaceError surfaceDistance(const SkinnedSurface& a, const SkinnedSurface& b, const std::vector<Pose>& poses,
                             double diagonal) {
  if (poses.empty() || diagonal <= 0) return {};
  double mean = 0, largest = 0;
  for (const Pose& pose : poses) {
    const Mesh posed_a = posed(a, pose), posed_b = posed(b, pose);
    const Sum to_b = distances(posed_a.positions, mesh::RayQuery(posed_b));
    const Sum to_a = distances(posed_b.positions, mesh::RayQuery(posed_a));
    const auto meanSquare = [](const Sum& s, std::size_t n) {
      return n > 0 ? s.squares / static_cast<double>(n) : 0.0;
    };
    mean += (meanSquare(to_b, samplesOf(posed_a.positions.size())) +
             meanSquare(to_a, samplesOf(posed_b.positions.size()))) /
            2;
    largest = std::max({largest, to_a.largest, to_b.largest});
  }
  mean /= static_cast<double>(poses.size());
  return {100 * std::sqrt(mean) / diagonal, 100 * largest / diagonal};
}

} // namespace skincells::levels
