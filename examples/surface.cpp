#include "surface.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <meshoptimizer.h>

#include "base/random.h"
#include "surface_nets.h"

namespace skincells::examples {
namespace {

constexpr int kInfluences = 4;
constexpr double kRoughness = 0.1; // relative to a grid cell
constexpr double kFlat = 0.85;     // cosine between a triangle and the surface at its corners, above which it lies flat
constexpr double kAgreeing = 0.6;  // cosine between the normals of field and triangles
constexpr double kSnap = 0.3; // of an edge: vertices this near to a border move onto it instead of cutting the edge

// Drops the vertices that no triangle uses; keeps the order of the others.
void dropLoose(Surface& s) {
  std::vector<std::uint32_t> fresh(s.positions.size(), UINT32_MAX);
  for (const Triangle& t : s.triangles)
    for (const auto v : t) fresh[v] = 0;
  std::uint32_t count = 0;
  for (std::size_t v = 0; v < fresh.size(); ++v)
    if (fresh[v] == 0) {
      s.positions[count] = s.positions[v];
      fresh[v] = count++;
    }
  s.positions.resize(count);
  for (Triangle& t : s.triangles)
    for (auto& v : t) v = fresh[v];
}

// Sorts the corners; +1 if the orientation of the triangle stays the same, else -1.
int sortCorners(Triangle& t) {
  int facing = 1;
  const auto order = [&](std::size_t i, std::size_t j) {
    if (t[i] > t[j]) std::swap(t[i], t[j]), facing = -facing;
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  return facing;
}

// Removes flaps that simplification leaves behind: two triangles with the same corners, back to back.
void dropFlaps(std::vector<Triangle>& triangles) {
  std::map<Triangle, int> surplus; // by sorted corners: triangles facing one way less those facing the other
  for (Triangle t : triangles) {
    const int facing = sortCorners(t);
    surplus[t] += facing;
  }
  std::erase_if(triangles, [&](Triangle t) {
    const int facing = sortCorners(t);
    int& left = surplus[t];
    if (left * facing <= 0) return true;
    left -= facing;
    return false;
  });
}

// Simplifies a copy roughened by `roughness` meters, and takes the true positions of the vertices it keeps. On the
// exact surface, flat and cylindrical regions would end up as a few needles.
Surface simplified(const Surface& fine, std::size_t triangle_count, double roughness) {
  Random random(1);
  std::vector<Vec3f> positions;
  for (const Vec3d& p : fine.positions) positions.push_back(toFloat(p + random.direction() * roughness));
  std::vector<std::uint32_t> indices;
  for (const Triangle& t : fine.triangles) indices.insert(indices.end(), t.begin(), t.end());
  std::vector<std::uint32_t> kept(indices.size());
  kept.resize(meshopt_simplify(kept.data(), indices.data(), indices.size(), &positions[0].x, positions.size(),
                               sizeof(Vec3f), std::min(triangle_count * 3, indices.size()), 0.1f, 0, nullptr));
  Surface s;
  s.positions = fine.positions;
  for (std::size_t i = 0; i < kept.size(); i += 3) s.triangles.push_back({kept[i], kept[i + 1], kept[i + 2]});
  dropFlaps(s.triangles);
  dropLoose(s);
  return s;
}

// Vertices where the triangles around do not lie flat: rims, creases and tips, which must keep their place.
std::vector<bool> creases(const Surface& s, const std::vector<Vec3d>& normals) {
  std::vector<bool> crease(s.positions.size());
  for (const Triangle& t : s.triangles) {
    const Vec3d face = normalized(cross(s.positions[t[1]] - s.positions[t[0]], s.positions[t[2]] - s.positions[t[0]]));
    for (const auto v : t)
      if (dot(face, normals[v]) < kFlat) crease[v] = true;
  }
  return crease;
}

std::vector<Vec3d> fieldNormals(const Surface& s, const Field& field) {
  std::vector<Vec3d> normals;
  for (const Vec3d& p : s.positions) normals.push_back(normalized(field.gradient(p)));
  return normals;
}

// Normals to shade with: those of the field, except where the field has detail that the triangles are too coarse for.
std::vector<Vec3d> shadingNormals(const Surface& s, const Field& field) {
  std::vector<Vec3d> normals = fieldNormals(s, field), mean(s.positions.size());
  for (const Triangle& t : s.triangles) {
    const Vec3d face = cross(s.positions[t[1]] - s.positions[t[0]], s.positions[t[2]] - s.positions[t[0]]);
    for (const auto v : t) mean[v] += face;
  }
  for (std::size_t v = 0; v < normals.size(); ++v) {
    const Vec3d m = normalized(mean[v]);
    if (dot(m, normals[v]) < kAgreeing && m != Vec3d{}) normals[v] = m;
  }
  return normals;
}

// Moves vertices along the surface toward the middle of their neighbors: rounder triangles, same shape.
void evenOut(Surface& s, const Field& field, int rounds) {
  const std::size_t n = s.positions.size();
  for (int round = 0; round < rounds; ++round) {
    const std::vector<Vec3d> normals = fieldNormals(s, field);
    const std::vector<bool> fixed = creases(s, normals);
    std::vector<Vec3d> sum(n);
    std::vector<double> count(n);
    for (const Triangle& t : s.triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        sum[t[k]] += s.positions[t[(k + 1) % 3]];
        ++count[t[k]];
      }
    for (std::size_t v = 0; v < n; ++v) {
      if (fixed[v]) continue;
      const Vec3d move = sum[v] * (1 / count[v]) - s.positions[v];
      s.positions[v] = field.project(s.positions[v] + (move - normals[v] * dot(move, normals[v])) * 0.5);
    }
  }
}

// Cuts triangles along the zero set of a function of the vertices, so that no triangle has corners on both sides.
class Cutter {
public:
  Cutter(Surface& surface, const Field& field, int material) : s_(&surface), field_(&field), material_(material) {}

  void run() {
    for (const Vec3d& p : s_->positions) side_.push_back(field_->materialBorder(p, material_));
    snap();
    std::vector<Triangle> before;
    before.swap(s_->triangles);
    for (const Triangle& t : before) split(t);
  }

private:
  bool cuts(std::uint32_t a, std::uint32_t b) const { return side_[a] * side_[b] < 0; }

  Vec3d crossing(std::uint32_t a, std::uint32_t b) const {
    const Vec3d pa = s_->positions[a], pb = s_->positions[b];
    return field_->project(pa + (pb - pa) * (side_[a] / (side_[a] - side_[b])));
  }

  // A vertex takes the place of its nearest crossing when that is near.
  void snap() {
    std::map<std::uint32_t, std::pair<double, Vec3d>> nearest;
    for (const Triangle& t : s_->triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto a = t[k], b = t[(k + 1) % 3];
        if (!cuts(a, b)) continue;
        const double share = side_[a] / (side_[a] - side_[b]);
        const auto moving = share < 0.5 ? a : b;
        const double way = std::fmin(share, 1 - share);
        if (way > kSnap) continue;
        const auto [entry, fresh] = nearest.try_emplace(moving, way, crossing(a, b));
        if (!fresh && way < entry->second.first) entry->second = {way, crossing(a, b)};
      }
    for (const auto& [v, target] : nearest) {
      s_->positions[v] = target.second;
      side_[v] = 0;
    }
  }

  std::uint32_t vertexBetween(std::uint32_t a, std::uint32_t b) {
    if (a > b) std::swap(a, b); // the same point for both triangles of the edge
    const auto [entry, fresh] = between_.try_emplace({a, b}, static_cast<std::uint32_t>(s_->positions.size()));
    if (fresh) {
      s_->positions.push_back(crossing(a, b));
      side_.push_back(0);
    }
    return entry->second;
  }

  void split(const Triangle& t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      if (!cuts(b, c)) continue;
      if (cuts(a, b)) continue; // handled from the corner that is alone on its side
      const auto bc = vertexBetween(b, c);
      if (!cuts(c, a)) { // a lies on the border
        s_->triangles.push_back({a, b, bc});
        s_->triangles.push_back({a, bc, c});
        return;
      }
      const auto ca = vertexBetween(c, a);
      s_->triangles.push_back({c, ca, bc});
      s_->triangles.push_back({ca, a, bc});
      s_->triangles.push_back({a, b, bc});
      return;
    }
    s_->triangles.push_back(t);
  }

  Surface* s_;
  const Field* field_;
  int material_;
  std::vector<double> side_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> between_;
};

void paint(Surface& s, const Field& field) {
  const std::vector<int> materials = field.materials();
  for (std::size_t m = 0; m + 1 < materials.size(); ++m) Cutter(s, field, materials[m]).run();
  for (const Triangle& t : s.triangles)
    s.materials.push_back(field.materialAt((s.positions[t[0]] + s.positions[t[1]] + s.positions[t[2]]) * (1.0 / 3)));
}

void addWeights(Surface& s, const Field& field, const Skeleton& skeleton) {
  s.weights = SparseWeights(s.positions.size(), 32);
  for (std::size_t v = 0; v < s.positions.size(); ++v) {
    std::size_t slot = 0;
    for (const auto& [joint, weight] : field.influences(s.positions[v], skeleton)) {
      if (slot == 32) break;
      s.weights.jointRow(v)[slot] = static_cast<std::uint16_t>(joint);
      s.weights.weightRow(v)[slot++] = static_cast<float>(weight);
    }
  }
  canonicalize(s.weights, kInfluences);
}

} // namespace

LodSurfaces polygonize(const Field& field, const Skeleton& skeleton, const PolygonizeOptions& options) {
  Surface finer = surfaceNets(field, options.cell);
  LodSurfaces lods;
  auto count = static_cast<std::size_t>(options.triangles);
  double roughness = kRoughness * options.cell;
  for (Surface& s : lods) {
    s = finer = simplified(finer, count, roughness);
    evenOut(s, field, 3);
    paint(s, field);
    s.normals = shadingNormals(s, field);
    addWeights(s, field, skeleton);
    count /= 4;
    roughness *= 2; // because edges get twice as long
  }
  return lods;
}

LodSurfaces sheet(const SheetFunction& point, const SheetOptions& options) {
  LodSurfaces lods;
  int columns = options.columns, rows = options.rows;
  for (Surface& s : lods) {
    const int width = options.round ? columns : columns + 1;
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * width + i % width); };
    for (int j = 0; j <= rows; ++j)
      for (int i = 0; i < width; ++i) {
        const double u = double(i) / columns, v = double(j) / rows, e = 1e-3;
        s.positions.push_back(point(u, v));
        const Vec3d du = point(u + e, v) - point(u - e, v), dv = point(u, v + e) - point(u, v - e);
        s.normals.push_back(normalized(cross(du, dv)));
      }
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < columns; ++i) {
        s.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        s.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    s.materials.assign(s.triangles.size(), options.material);
    columns /= 2;
    rows /= 2;
  }
  return lods;
}

} // namespace skincells::examples
