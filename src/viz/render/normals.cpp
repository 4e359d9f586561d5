#include "viz/render/normals.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/parallel.h"

namespace skincells::render {
namespace {

constexpr std::size_t kChunk = 4096;
constexpr std::size_t kLargestFan = 64; // at larger fans all corners share one normal, which keeps the work linear

std::vector<Vec3f> areaNormals(std::span<const Triangle> triangles, std::span<const Vec3f> p) {
  std::vector<Vec3f> normals(triangles.size());
  parallelChunks(triangles.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t t = begin; t < end; ++t) {
      const auto& [a, b, c] = triangles[t];
      const Vec3f n = cross(p[b] - p[a], p[c] - p[a]);
      if (isFinite(n)) normals[t] = n;
    }
  });
  return normals;
}

} // namespace

SmoothNormals::SmoothNormals(const Mesh& mesh) : triangles_(mesh.triangles) {
  Weld weld = weldByPosition(mesh.positions, weldTolerance(mesh));
  first_.assign(weld.weldedCount() + 1, 0);
  for (const Triangle& t : triangles_)
    for (std::uint32_t v : t) ++first_[weld.welded_of_vertex[v] + 1];
  for (std::size_t w = 1; w < first_.size(); ++w) first_[w] += first_[w - 1];
  incident_.resize(triangles_.size() * 3);
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (std::uint32_t v : triangles_[t]) incident_[next[weld.welded_of_vertex[v]]++] = static_cast<std::uint32_t>(t);
  welded_of_vertex_ = std::move(weld.welded_of_vertex);
}

std::span<const std::uint32_t> SmoothNormals::trianglesAt(std::uint32_t welded) const {
  return std::span(incident_).subspan(first_[welded], first_[welded + 1] - first_[welded]);
}

std::vector<Vec3f> SmoothNormals::corners(std::span<const Vec3f> posed_positions, double crease_angle) const {
  const auto least_cosine = static_cast<float>(std::cos(crease_angle * std::numbers::pi / 180));
  const std::vector<Vec3f> area = areaNormals(triangles_, posed_positions);
  std::vector<float> areas(area.size());
  std::transform(area.begin(), area.end(), areas.begin(), [](const Vec3f& n) { return length(n); });
  std::vector<Vec3f> fans(first_.size() - 1); // sums at large fans
  for (std::uint32_t w = 0; w < fans.size(); ++w)
    if (trianglesAt(w).size() > kLargestFan)
      for (std::uint32_t t : trianglesAt(w)) fans[w] += area[t];
  std::vector<Vec3f> normals(triangles_.size() * 3);
  parallelChunks(triangles_.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t t = begin; t < end; ++t) {
      if (!(areas[t] > 0)) continue;
      for (std::size_t c = 0; c < 3; ++c) {
        const std::uint32_t w = welded_of_vertex_[triangles_[t][c]];
        const auto fan = trianglesAt(w);
        Vec3f sum = fans[w];
        if (fan.size() <= kLargestFan)
          for (std::uint32_t n : fan)
            if (dot(area[t], area[n]) >= least_cosine * areas[t] * areas[n]) sum += area[n];
        const Vec3f unit = normalized(sum);
        normals[t * 3 + c] = unit == Vec3f{} ? area[t] * (1 / areas[t]) : unit;
      }
    }
  });
  return normals;
}

} // namespace skincells::render
