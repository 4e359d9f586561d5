#include "mesh/moving_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "base/assert.h"
#include "mesh/triangle.h"

namespace skincells::mesh {
namespace {

constexpr std::size_t kLeafSize = 4;
constexpr double kSurely = 1 + 1e-9; // beyond rounding
constexpr double kFar = 2;           // radii from which a node is seen as a dipole
constexpr double kEnclosed = 0.25;   // winding numbers above this may be inside; behind a sheet it is below 0.5

// Which part of a triangle is closest.
struct Feature {
  Vec3d point;
  int edge = -1;   // from corner k to k + 1
  int corner = -1; // takes precedence over the edge
};

Feature closestFeature(const Vec3d& p, const std::array<Vec3d, 3>& corners, const Vec3d& normal) {
  if (dot(normal, normal) > 0) {
    const Vec3d foot = p - normal * dot(p - corners[0], normal);
    bool inside = true;
    for (std::size_t k = 0; k < 3 && inside; ++k)
      inside = dot(cross(corners[(k + 1) % 3] - corners[k], foot - corners[k]), normal) > 0;
    if (inside) return {foot};
  }
  Feature best;
  double least = INFINITY;
  for (int k = 0; k < 3; ++k) {
    const Vec3d &a = corners[static_cast<std::size_t>(k)], along = corners[static_cast<std::size_t>(k + 1) % 3] - a;
    const double squared = dot(along, along);
    const double t = squared > 0 ? std::clamp(dot(p - a, along) / squared, 0.0, 1.0) : 0;
    const Vec3d q = t < 1 ? a + along * t : a + along, off = q - p;
    if (dot(off, off) >= least) continue;
    least = dot(off, off);
    best = {q, k, t <= 0 ? k : t >= 1 ? (k + 1) % 3 : -1};
  }
  return best;
}

// The solid angle of a triangle seen from the origin, positive from behind (van Oosterom and Strackee 1983).
double solidAngle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double x = length(a), y = length(b), z = length(c);
  return 2 * std::atan2(dot(a, cross(b, c)), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
}

double component(const Vec3d& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

} // namespace

SurfaceTree::SurfaceTree(const Mesh& welded) : on_border_(welded.positions.size(), 0) {
  for (const Triangle& t : welded.triangles)
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles_.push_back(t);
  std::vector<Vec3d> centers;
  for (const Triangle& t : triangles_)
    centers.push_back(
        (toDouble(welded.positions[t[0]]) + toDouble(welded.positions[t[1]]) + toDouble(welded.positions[t[2]])) *
        (1.0 / 3));
  order_.resize(triangles_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  if (!order_.empty()) build(centers, 0, order_.size());
  place_in_order_.resize(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_in_order_[order_[i]] = i;
  fan_begin_.assign(welded.positions.size() + 1, 0);
  for (const Triangle& t : triangles_)
    for (std::uint32_t v : t) ++fan_begin_[v + 1];
  std::partial_sum(fan_begin_.begin(), fan_begin_.end(), fan_begin_.begin());
  fan_.resize(fan_begin_.back());
  std::vector<std::uint32_t> next(fan_begin_.begin(), fan_begin_.end());
  for (std::uint32_t t = 0; t < triangles_.size(); ++t)
    for (std::uint32_t v : triangles_[t]) fan_[next[v]++] = t;
  findNeighbors();
}

void SurfaceTree::build(std::span<const Vec3d> centers, std::size_t begin, std::size_t end) {
  const std::size_t node = nodes_.size();
  nodes_.emplace_back();
  if (end - begin <= kLeafSize) {
    nodes_[node] = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
    return;
  }
  Box box;
  for (std::size_t i = begin; i < end; ++i) box.add(centers[order_[i]]);
  const Vec3d size = box.size();
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const std::size_t middle = (begin + end) / 2;
  const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
    const double x = component(centers[a], axis), y = component(centers[b], axis);
    return x < y || (x == y && a < b);
  });
  build(centers, begin, middle);
  nodes_[node].first = static_cast<std::uint32_t>(nodes_.size());
  build(centers, middle, end);
}

// Edges of three or more triangles count as open: they have no single other side.
void SurfaceTree::findNeighbors() {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> sides; // edge -> 3 * triangle + k
  for (std::uint32_t t = 0; t < triangles_.size(); ++t)
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
      sides[{std::min(a, b), std::max(a, b)}].push_back(3 * t + k);
    }
  neighbor_.assign(3 * triangles_.size(), kNone);
  for (const auto& [edge, users] : sides) {
    if (users.size() == 2) {
      neighbor_[users[0]] = users[1] / 3;
      neighbor_[users[1]] = users[0] / 3;
    } else {
      on_border_[edge.first] = on_border_[edge.second] = 1;
    }
  }
}

void MovingSurface::move(std::vector<Vec3d> positions) {
  SKINCELLS_ASSERT(positions.size() == tree_.vertexCount());
  positions_ = std::move(positions);
  normals_.resize(tree_.triangles_.size());
  for (std::size_t t = 0; t < normals_.size(); ++t) {
    const Triangle& c = tree_.triangles_[t];
    normals_[t] = normalized(areaNormal(positions_[c[0]], positions_[c[1]], positions_[c[2]]));
  }
  slots_.resize(normals_.size());
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Triangle& c = tree_.triangles_[tree_.order_[i]];
    slots_[i] = {{positions_[c[0]], positions_[c[1]], positions_[c[2]]}, normals_[tree_.order_[i]]};
  }
  limits_.resize(tree_.nodes_.size());
  for (std::size_t n = limits_.size(); n-- > 0;) { // children come after their parent
    const SurfaceTree::Node& node = tree_.nodes_[n];
    Limits& l = limits_[n];
    const auto cover = [&l](const Vec3d& lo, const Vec3d& hi) {
      l.lo = {std::min(l.lo.x, lo.x), std::min(l.lo.y, lo.y), std::min(l.lo.z, lo.z)};
      l.hi = {std::max(l.hi.x, hi.x), std::max(l.hi.y, hi.y), std::max(l.hi.z, hi.z)};
    };
    if (node.count == 0) {
      l = limits_[n + 1];
      cover(limits_[node.first].lo, limits_[node.first].hi);
      continue;
    }
    l.lo = l.hi = positions_[tree_.triangles_[tree_.order_[node.first]][0]];
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
      for (std::uint32_t v : tree_.triangles_[tree_.order_[i]]) cover(positions_[v], positions_[v]);
  }
  placeDipoles();
}

void MovingSurface::placeDipoles() {
  dipoles_.resize(tree_.nodes_.size());
  std::vector<double> areas(dipoles_.size(), 0);
  for (std::size_t n = dipoles_.size(); n-- > 0;) {
    const SurfaceTree::Node& node = tree_.nodes_[n];
    Dipole& d = dipoles_[n] = {};
    const auto add = [&](const Vec3d& center, const Vec3d& normal, double area) {
      d.center += center * area;
      d.normal += normal;
      areas[n] += area;
    };
    if (node.count == 0)
      for (const std::size_t child : {n + 1, std::size_t{node.first}})
        add(dipoles_[child].center, dipoles_[child].normal, areas[child]);
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const std::array<Vec3d, 3>& c = slots_[i].corners;
      const Vec3d normal = cross(c[1] - c[0], c[2] - c[0]) * 0.5;
      add((c[0] + c[1] + c[2]) * (1.0 / 3), normal, length(normal));
    }
    const Vec3d &lo = limits_[n].lo, &hi = limits_[n].hi;
    d.center = areas[n] > 0 ? d.center * (1 / areas[n]) : (lo + hi) * 0.5;
    const Vec3d a = d.center - lo, b = hi - d.center;
    d.radius = length(Vec3d{std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)});
  }
}

double MovingSurface::windingNumber(const Vec3d& p) const {
  if (tree_.nodes_.empty() || !isFinite(p)) return 0;
  double sum = 0;
  std::array<std::uint32_t, 64> stack; // the tree is balanced: 64 levels hold any mesh
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::uint32_t n = stack[--size];
    const Dipole& d = dipoles_[n];
    const Vec3d to = d.center - p;
    const double squared = dot(to, to);
    const SurfaceTree::Node& node = tree_.nodes_[n];
    if (squared > kFar * kFar * d.radius * d.radius && squared > 0) {
      sum += dot(d.normal, to) / (squared * std::sqrt(squared));
    } else if (node.count == 0) {
      stack[size++] = n + 1;
      stack[size++] = node.first;
    } else {
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
        const std::array<Vec3d, 3>& c = slots_[i].corners;
        sum += solidAngle(c[0] - p, c[1] - p, c[2] - p);
      }
    }
  }
  return sum / (4 * std::numbers::pi);
}

struct MovingSurface::Search {
  Vec3d p;
  Filter filter;
  double squared = 0;
  std::uint32_t triangle = SurfaceTree::kNone;
  Feature feature;
};

void MovingSurface::visit(std::uint32_t i, Search& search) const {
  const Slot& slot = slots_[i];
  const double from_plane = dot(search.p - slot.corners[0], slot.normal);
  if (from_plane * from_plane > kSurely * search.squared) return;
  const std::uint32_t t = tree_.order_[i];
  if (search.filter.accept != nullptr && !search.filter.accept(search.filter.context, t)) return;
  const Feature f = closestFeature(search.p, slot.corners, slot.normal);
  const Vec3d off = f.point - search.p;
  const double squared = dot(off, off);
  if (squared > search.squared || (squared == search.squared && t >= search.triangle)) return;
  search.squared = squared;
  search.triangle = t;
  search.feature = f;
}

Vec3d MovingSurface::cornerNormal(std::uint32_t vertex) const {
  Vec3d sum;
  for (std::uint32_t i = tree_.fan_begin_[vertex]; i < tree_.fan_begin_[vertex + 1]; ++i) {
    const std::uint32_t t = tree_.fan_[i];
    const Triangle& c = tree_.triangles_[t];
    const std::size_t k = c[0] == vertex ? 0 : c[1] == vertex ? 1 : 2;
    const Vec3d a = normalized(positions_[c[(k + 1) % 3]] - positions_[vertex]);
    const Vec3d b = normalized(positions_[c[(k + 2) % 3]] - positions_[vertex]);
    sum += normals_[t] * std::acos(std::clamp(dot(a, b), -1.0, 1.0));
  }
  return normalized(sum);
}

SurfacePlace MovingSurface::signedPlace(const Search& search) const {
  const Feature& f = search.feature;
  const Triangle& c = tree_.triangles_[search.triangle];
  Vec3d normal = normals_[search.triangle];
  bool border = false;
  if (f.corner >= 0) {
    const std::uint32_t v = c[static_cast<std::size_t>(f.corner)];
    border = tree_.on_border_[v] != 0;
    normal = cornerNormal(v);
  } else if (f.edge >= 0) {
    const std::uint32_t other = tree_.neighbor_[3 * std::size_t{search.triangle} + static_cast<std::size_t>(f.edge)];
    border = other == SurfaceTree::kNone;
    if (!border) normal = normalized(normal + normals_[other]);
  }
  const Vec3d off = search.p - f.point;
  const double distance = length(off);
  const double sign = border || dot(off, normal) >= 0 ? 1 : -1;
  // On the surface itself, the direction of `off` is lost.
  return {search.triangle, f.point, sign * distance, distance > 1e-9 ? off * (sign / distance) : normal};
}

SurfacePlace MovingSurface::nearest(const Vec3d& p, double reach, std::uint32_t first) const {
  SurfacePlace place = nearestOf(p, reach, first, {});
  if (place.distance < 0 && windingNumber(p) < kEnclosed) {
    place.distance = -place.distance;
    place.gradient = -place.gradient;
  }
  return place;
}

SurfacePlace MovingSurface::nearestOf(const Vec3d& p, double reach, std::uint32_t first, const Filter& filter) const {
  if (tree_.nodes_.empty() || !isFinite(p)) return {};
  Search search{p, filter, reach * reach, SurfaceTree::kNone, {}};
  if (first != SurfaceTree::kNone) visit(tree_.place_in_order_[first], search);
  const auto squaredTo = [&](std::uint32_t n) {
    const Limits& l = limits_[n];
    const double x = std::max({l.lo.x - p.x, 0.0, p.x - l.hi.x}), y = std::max({l.lo.y - p.y, 0.0, p.y - l.hi.y}),
                 z = std::max({l.lo.z - p.z, 0.0, p.z - l.hi.z});
    return x * x + y * y + z * z;
  };
  struct Entry {
    std::uint32_t node;
    double squared;
  };
  std::array<Entry, 64> stack; // the tree is balanced: 64 levels hold any mesh
  std::size_t size = 0;
  stack[size++] = {0, squaredTo(0)};
  while (size > 0) {
    const Entry entry = stack[--size];
    if (entry.squared > search.squared) continue;
    const SurfaceTree::Node& node = tree_.nodes_[entry.node];
    if (node.count > 0) {
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) visit(i, search);
      continue;
    }
    Entry near{entry.node + 1, squaredTo(entry.node + 1)}, far{node.first, squaredTo(node.first)};
    if (far.squared < near.squared) std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
  }
  return search.triangle == SurfaceTree::kNone ? SurfacePlace{} : signedPlace(search);
}

} // namespace skincells::mesh
