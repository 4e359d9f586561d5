#include "mesh/point_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include <Eigen/Eigenvalues>

#include "base/parallel.h"
#include "base/random.h"
#include "mesh/point_tree.h"
#include "mesh/solve_space.h"
#include "mesh/triangle.h"

namespace skincells::mesh {
namespace {

constexpr double kSpacing = 0.8 / kCharacterSize; // of the largest side: finer points are averaged
constexpr std::size_t kMostSamples = 20000;       // points that are joined; the spacing grows until there are so few
constexpr double kGrowth = 1.2;
constexpr std::size_t kNeighbors = 20;     // nearest points that may be joined with a point
constexpr std::size_t kPlaneNeighbors = 9; // nearest points that determine the tangent plane
constexpr double kNarrowest = 1e-3;        // variance across a plane relative to that along it; less is a line
constexpr double kSteepest = 0.6;          // sine between the plane and the way to a neighbor
constexpr double kLeastAgreement = 0.4;    // cosine between the planes of neighbors
constexpr std::size_t kReachRank = 8;      // edges are at most kReach times as long as the way to this neighbor
constexpr double kReach = 1.5;
constexpr double kJitter = 0.1;  // of the median way to it: points are moved by this much at most, see `jittered`
constexpr double kFarthest = 3;  // times the median way to that neighbor: points farther from others are strays
constexpr double kStrays = 0.01; // share of the points on either side along an axis that do not count for the size

std::vector<std::uint32_t> numbersTo(std::size_t count) {
  std::vector<std::uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

// Points in cubes of one size.
class Grid {
public:
  Grid(const Vec3d& corner, double side) : corner_(corner), side_(side) {}

  // Whether `accept` is true for no point that was added in the 27 cubes around p.
  template <class Accept> bool none(const Vec3d& p, const Accept& accept) const {
    const Cell c = cellOf(p);
    for (std::int64_t x = c[0] - 1; x <= c[0] + 1; ++x)
      for (std::int64_t y = c[1] - 1; y <= c[1] + 1; ++y)
        for (std::int64_t z = c[2] - 1; z <= c[2] + 1; ++z)
          if (const auto found = cells_.find(keyOf({x, y, z})); found != cells_.end())
            if (std::ranges::any_of(found->second, accept)) return false;
    return true;
  }
  void add(const Vec3d& p, std::uint32_t point) { cells_[keyOf(cellOf(p))].push_back(point); }

private:
  using Cell = std::array<std::int64_t, 3>;

  Cell cellOf(const Vec3d& p) const {
    const Vec3d q = (p - corner_) * (1 / side_);
    return {static_cast<std::int64_t>(std::floor(q.x)), static_cast<std::int64_t>(std::floor(q.y)),
            static_cast<std::int64_t>(std::floor(q.z))};
  }
  static std::uint64_t keyOf(const Cell& c) { // cells with equal keys only cost time
    constexpr std::uint64_t kMask = (1U << 21U) - 1;
    const auto low = [](std::int64_t i) { return static_cast<std::uint64_t>(i) & kMask; };
    return low(c[0]) | low(c[1]) << 21U | low(c[2]) << 42U;
  }

  Vec3d corner_;
  double side_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

// Points that are at least `spacing` apart, such that all others are nearer to one of them.
std::vector<std::uint32_t> spread(std::span<const Vec3f> points, const Vec3d& corner, double spacing) {
  Grid grid(corner, spacing);
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const Vec3d p = toDouble(points[i]);
    const auto near = [&](std::uint32_t c) { return length(toDouble(points[c]) - p) < spacing; };
    if (!grid.none(p, near)) continue;
    grid.add(p, i);
    chosen.push_back(i);
  }
  return chosen;
}

// The largest side of the box around the points without strays.
double sizeOf(std::span<const Vec3f> points) {
  const auto cut = static_cast<std::ptrdiff_t>(kStrays * static_cast<double>(points.size()));
  double size = 0;
  std::vector<float> along(points.size());
  for (float Vec3f::*axis : {&Vec3f::x, &Vec3f::y, &Vec3f::z}) {
    std::ranges::transform(points, along.begin(), axis);
    const auto last = along.end() - 1 - cut;
    std::ranges::nth_element(along, along.begin() + cut);
    const float low = along[static_cast<std::size_t>(cut)];
    std::ranges::nth_element(along, last);
    size = std::max(size, static_cast<double>(*last) - static_cast<double>(low));
  }
  return size;
}

// Evenly spread means of the points around them.
std::vector<Vec3f> samplesOf(std::span<const Vec3f> points) {
  if (points.empty()) return {};
  double spacing = kSpacing * sizeOf(points);
  if (!(spacing > 0)) return {};
  const Vec3d corner = toDouble(points.front());
  std::vector<std::uint32_t> chosen = spread(points, corner, spacing);
  while (chosen.size() > kMostSamples) chosen = spread(points, corner, spacing *= kGrowth);

  const PointTree tree(points, chosen);
  std::vector<std::uint32_t> owner(points.size());
  parallelChunks(points.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) owner[i] = tree.nearest(toDouble(points[i]));
  });
  std::vector<Vec3d> sums(points.size());
  std::vector<double> counts(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    sums[owner[i]] += toDouble(points[i]);
    counts[owner[i]] += 1;
  }
  std::vector<Vec3f> samples;
  for (std::uint32_t c : chosen) samples.push_back(toFloat(sums[c] * (1 / counts[c])));
  return samples;
}

struct Neighborhood {
  std::vector<std::uint32_t> nearest; // without the point
  std::array<Vec3d, 3> axes;          // two of the tangent plane, then its normal, which may face either way
  double reach = 0;                   // length of the longest edge
};

// Directions of most to least spread; zero if the points are on a line.
std::array<Vec3d, 3> principalAxes(std::span<const Vec3f> points, std::span<const std::uint32_t> members) {
  Vec3d mean;
  for (std::uint32_t m : members) mean += toDouble(points[m]) * (1.0 / static_cast<double>(members.size()));
  Eigen::Matrix3d spread_of = Eigen::Matrix3d::Zero();
  for (std::uint32_t m : members) {
    const Vec3d d = toDouble(points[m]) - mean;
    const Eigen::Vector3d e(d.x, d.y, d.z);
    spread_of += e * e.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(spread_of);
  if (!(solver.eigenvalues()[1] > kNarrowest * solver.eigenvalues()[2])) return {};
  const Eigen::Matrix3d axes = solver.eigenvectors();
  const auto column = [&](int c) { return Vec3d{axes(0, c), axes(1, c), axes(2, c)}; };
  return {column(2), column(1), column(0)};
}

std::vector<Neighborhood> findNeighborhoods(std::span<const Vec3f> points) {
  const PointTree tree(points, numbersTo(points.size()));
  std::vector<Neighborhood> out(points.size());
  parallelChunks(points.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<std::uint32_t> found;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3d p = toDouble(points[i]);
      tree.nearest(p, kNeighbors + 1, found);
      out[i].axes = principalAxes(points, std::span(found).first(std::min(found.size(), kPlaneNeighbors + 1)));
      std::erase(found, i);
      out[i].nearest = found;
      const std::uint32_t far = found[std::min(kReachRank, found.size()) - 1];
      out[i].reach = kReach * length(toDouble(points[far]) - p);
    }
  });
  return out;
}

double medianReach(std::span<const Neighborhood> around) {
  std::vector<double> reaches;
  for (const Neighborhood& n : around) reaches.push_back(n.reach);
  const auto middle = reaches.begin() + static_cast<std::ptrdiff_t>(reaches.size() / 2);
  std::ranges::nth_element(reaches, middle);
  return *middle;
}

// Points on a regular grid have several triangulations, and the tangent planes would disagree on them.
std::vector<Vec3f> jittered(std::vector<Vec3f> points, double most) {
  Random random(1);
  for (Vec3f& p : points) p += toFloat(random.direction() * (most * random.uniform()));
  return points;
}

struct PlanePoint {
  double x = 0, y = 0;
  std::uint32_t point = 0;

  friend auto operator<=>(const PlanePoint&, const PlanePoint&) = default;
};

double turn(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The corners of the convex hull in order around it (Andrew's monotone chain).
std::vector<PlanePoint> hullOf(std::vector<PlanePoint> points) {
  std::ranges::sort(points);
  std::vector<PlanePoint> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t first = hull.size();
    for (const PlanePoint& p : points) {
      while (hull.size() >= first + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::ranges::reverse(points);
  }
  return hull;
}

// The Delaunay triangles around point i in its tangent plane. Inverted about the point, its neighbors in the
// triangulation are the corners of the convex hull.
void addFan(std::span<const Vec3f> points, std::span<const Neighborhood> around, std::uint32_t i,
            std::vector<Triangle>& fan) {
  const Neighborhood& mine = around[i];
  const Vec3d p = toDouble(points[i]);
  std::vector<PlanePoint> inverted{{0, 0, i}};
  for (std::uint32_t n : mine.nearest) {
    const Vec3d d = toDouble(points[n]) - p;
    const double far = length(d);
    const double agreement = std::abs(dot(mine.axes[2], around[n].axes[2]));
    if (far > mine.reach || std::abs(dot(d, mine.axes[2])) > kSteepest * far || agreement < kLeastAgreement) continue;
    const double x = dot(d, mine.axes[0]), y = dot(d, mine.axes[1]), squared = x * x + y * y;
    if (squared > 0) inverted.push_back({x / squared, y / squared, n});
  }
  if (inverted.size() < 3) return;
  std::vector<PlanePoint> hull = hullOf(std::move(inverted));
  const auto self = std::ranges::find(hull, i, &PlanePoint::point);
  const bool open = self != hull.end();
  if (open) std::rotate(hull.begin(), self, hull.end());
  for (std::size_t k = open ? 1 : 0; k + (open ? 1 : 0) < hull.size(); ++k)
    fan.push_back({i, hull[k].point, hull[(k + 1) % hull.size()].point});
}

Triangle startingLowest(Triangle t) {
  std::rotate(t.begin(), std::ranges::min_element(t), t.end());
  return t;
}
Triangle sorted(Triangle t) {
  std::ranges::sort(t);
  return t;
}

// Triangles on which two corners or all agree, the latter first, with at most two at an edge.
std::vector<Triangle> agreedTriangles(std::span<const Vec3f> points, std::span<const Neighborhood> around) {
  std::vector<std::vector<Triangle>> fans(points.size());
  parallelChunks(points.size(), 256, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) addFan(points, around, static_cast<std::uint32_t>(i), fans[i]);
  });
  std::vector<Triangle> all;
  for (const std::vector<Triangle>& fan : fans)
    for (const Triangle& t : fan) all.push_back(sorted(t));
  std::ranges::sort(all);
  std::map<std::array<std::uint32_t, 2>, int> used; // edges
  std::vector<Triangle> out;
  for (std::ptrdiff_t votes = 3; votes >= 1; --votes)
    for (auto t = all.begin(); t != all.end();) {
      const auto next = std::upper_bound(t, all.end(), *t);
      const auto& [a, b, c] = *t;
      const std::array<std::array<std::uint32_t, 2>, 3> edges{{{a, b}, {b, c}, {a, c}}};
      const auto full = [&](const auto& e) {
        const auto found = used.find(e);
        return found != used.end() && found->second > 1;
      };
      if (next - t == votes && std::ranges::none_of(edges, full)) {
        for (const auto& e : edges) ++used[e];
        out.push_back(*t);
      }
      t = next;
    }
  return out;
}

// Turns triangles so that neighbors face the same way, and each connected part outwards.
void orient(std::span<const Vec3f> points, std::vector<Triangle>& triangles) {
  std::map<std::array<std::uint32_t, 2>, std::array<std::size_t, 2>> sides; // of edges; both the same at a border
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      const auto [place, is_new] = sides.emplace(std::array{std::min(a, b), std::max(a, b)}, std::array{t, t});
      if (!is_new) place->second[1] = t;
    }
  const auto runs = [&](std::size_t t, std::uint32_t a, std::uint32_t b) { // from a to b
    const auto at = static_cast<std::size_t>(std::ranges::find(triangles[t], a) - triangles[t].begin());
    return triangles[t][(at + 1) % 3] == b;
  };
  std::vector<bool> seen(triangles.size());
  std::vector<std::size_t> part;
  for (std::size_t first = 0; first < triangles.size(); ++first) {
    if (seen[first]) continue;
    seen[first] = true;
    part.assign(1, first);
    for (std::size_t at = 0; at < part.size(); ++at) {
      const Triangle t = triangles[part[at]];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3];
        const auto& pair = sides.find({std::min(a, b), std::max(a, b)})->second;
        const std::size_t other = pair[0] == part[at] ? pair[1] : pair[0];
        if (seen[other]) continue;
        seen[other] = true;
        if (runs(other, a, b)) std::swap(triangles[other][1], triangles[other][2]);
        part.push_back(other);
      }
    }
    double volume = 0;
    const Vec3d origin = toDouble(points[triangles[first][0]]);
    for (std::size_t t : part) {
      const Triangle& c = triangles[t];
      volume += dot(toDouble(points[c[0]]) - origin, areaNormal(points, c));
    }
    for (std::size_t t : part) {
      if (volume < 0) std::swap(triangles[t][1], triangles[t][2]);
      triangles[t] = startingLowest(triangles[t]);
    }
  }
}

Mesh withoutLoose(std::span<const Vec3f> points, std::vector<Triangle> triangles) {
  Mesh out;
  std::set<std::uint32_t> used;
  for (const Triangle& t : triangles) used.insert(t.begin(), t.end());
  std::vector<std::uint32_t> place(points.size());
  for (std::uint32_t v : used) {
    place[v] = out.vertexCount();
    out.positions.push_back(points[v]);
  }
  for (Triangle& t : triangles)
    for (std::uint32_t& v : t) v = place[v];
  out.triangles = std::move(triangles);
  return out;
}

} // namespace

Mesh surfaceOfPoints(std::span<const Vec3f> points) {
  const std::vector<Vec3f> samples = samplesOf(points);
  if (samples.size() < kPlaneNeighbors) return {};
  std::vector<Neighborhood> around = findNeighborhoods(samples);
  const double median = medianReach(around);
  for (Neighborhood& n : around) n.reach = std::min(n.reach, kFarthest * median);
  std::vector<Triangle> triangles = agreedTriangles(jittered(samples, kJitter / kReach * median), around);
  orient(samples, triangles);
  return withoutLoose(samples, std::move(triangles));
}

} // namespace skincells::mesh
