#include "viz/render/raster.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"

namespace skincells::render {
namespace {

constexpr int kSubBits = 8, kSub = 1 << kSubBits; // corners lie on a grid of 1/256 sample, so edges are exact
constexpr int kBandHeight = 32;                   // rows that one task draws
constexpr double kFarOutside = 1 << 20;           // keeps products of coordinates within 64 bits

// A triangle in the picture, turned so that its inside is on the positive side of all edges.
struct Flat {
  std::array<std::int32_t, 3> x, y; // in 1/256 sample
  std::array<float, 3> inverse_depth;
  std::uint32_t triangle;
};

std::int64_t doubleArea(const Flat& f) {
  return std::int64_t{f.x[1] - f.x[0]} * (f.y[2] - f.y[0]) - std::int64_t{f.y[1] - f.y[0]} * (f.x[2] - f.x[0]);
}

std::int32_t toGrid(double samples) {
  // Shifted to be positive, so that truncation rounds down; much faster than std::lround.
  constexpr double kShift = 2 * kFarOutside * kSub;
  const double shifted = std::clamp(samples, -kFarOutside, kFarOutside) * kSub + (kShift + 0.5);
  return static_cast<std::int32_t>(static_cast<std::int64_t>(shifted) - static_cast<std::int64_t>(kShift));
}

// Sample numbers whose centers lie within [lo, hi] of the grid.
int firstSample(std::int32_t lo) {
  return (lo + kSub / 2 - 1) >> kSubBits;
}
int lastSample(std::int32_t hi) {
  return (hi - kSub / 2) >> kSubBits;
}

struct Range {
  int first, last;
};
Range coveredRange(const std::array<std::int32_t, 3>& c, int size) {
  return {std::max(0, firstSample(std::min({c[0], c[1], c[2]}))),
          std::min(size - 1, lastSample(std::max({c[0], c[1], c[2]})))};
}

// A point in the picture.
struct Dot {
  std::int32_t x = 0, y = 0; // in 1/256 sample
  float inverse_depth = 0;   // 0: behind the near depth, x and y are unspecified
};

Dot toDot(const Vec3f& view, const Projection& projection) {
  const double inverse_depth = 1.0 / static_cast<double>(view.z), scale = projection.focal * inverse_depth;
  return {toGrid(projection.center_x + scale * static_cast<double>(view.x)),
          toGrid(projection.center_y - scale * static_cast<double>(view.y)), static_cast<float>(inverse_depth)};
}

// Keeps a triangle if it can cover a sample.
void addFlat(const std::array<Dot, 3>& dots, std::uint32_t triangle, const Projection& projection,
             std::vector<Flat>& out) {
  const auto& [a, b, c] = dots;
  Flat f{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.inverse_depth, b.inverse_depth, c.inverse_depth}, triangle};
  const Range columns = coveredRange(f.x, projection.width), rows = coveredRange(f.y, projection.height);
  if (columns.first > columns.last || rows.first > rows.last) return;
  const std::int64_t area = doubleArea(f);
  if (area == 0) return;
  if (area < 0) {
    std::swap(f.x[1], f.x[2]);
    std::swap(f.y[1], f.y[2]);
    std::swap(f.inverse_depth[1], f.inverse_depth[2]);
  }
  out.push_back(f);
}

Vec3f crossing(const Vec3f& a, const Vec3f& b, float depth) {
  Vec3f p = a + (b - a) * ((depth - a.z) / (b.z - a.z));
  p.z = depth;
  return p;
}

// Cuts the triangle at the near depth; up to two pieces remain.
void addClipped(const std::array<Vec3f, 3>& p, std::uint32_t triangle, const Projection& projection,
                std::vector<Flat>& out) {
  const auto near_depth = static_cast<float>(projection.near_depth);
  std::array<Vec3f, 4> kept;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3f &a = p[i], &b = p[(i + 1) % 3];
    const bool a_in = a.z >= near_depth, b_in = b.z >= near_depth;
    if (a_in) kept[count++] = a;
    if (a_in != b_in) kept[count++] = crossing(a, b, near_depth);
  }
  const auto dot_of = [&](std::size_t i) { return toDot(kept[i], projection); };
  for (std::size_t i = 2; i < count; ++i) addFlat({dot_of(0), dot_of(i - 1), dot_of(i)}, triangle, projection, out);
}

// Every vertex once; those that are not finite or behind the near depth stay without a place.
std::vector<Dot> projectAll(std::span<const Vec3f> positions, const Projection& projection) {
  std::vector<Dot> dots(positions.size());
  parallelChunks(positions.size(), 8192, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v)
      if (isFinite(positions[v]) && static_cast<double>(positions[v].z) >= projection.near_depth)
        dots[v] = toDot(positions[v], projection);
  });
  return dots;
}

// In parts of consecutive triangles.
std::vector<std::vector<Flat>> flatten(std::span<const Vec3f> positions, std::span<const Triangle> triangles,
                                       const Projection& projection) {
  constexpr std::size_t kChunk = 4096;
  const std::vector<Dot> dots = projectAll(positions, projection);
  std::vector<std::vector<Flat>> parts((triangles.size() + kChunk - 1) / kChunk);
  parallelChunks(triangles.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    parts[chunk].reserve(end - begin);
    for (std::size_t t = begin; t < end; ++t) {
      const auto& [a, b, c] = triangles[t];
      if (dots[a].inverse_depth > 0 && dots[b].inverse_depth > 0 && dots[c].inverse_depth > 0)
        addFlat({dots[a], dots[b], dots[c]}, static_cast<std::uint32_t>(t), projection, parts[chunk]);
      else if (isFinite(positions[a]) && isFinite(positions[b]) && isFinite(positions[c]))
        addClipped({positions[a], positions[b], positions[c]}, static_cast<std::uint32_t>(t), projection, parts[chunk]);
    }
  });
  return parts;
}

// One edge's function: positive inside, stepped along the picture. Samples exactly on an edge belong to the triangle
// to the right of it or below it.
struct Edge {
  std::int64_t step_x, step_y, origin;

  Edge(const Flat& f, std::size_t a, std::size_t b) {
    const std::int64_t dx = f.x[b] - f.x[a], dy = f.y[b] - f.y[a];
    const bool owns_border = dy < 0 || (dy == 0 && dx > 0);
    const std::int64_t half = kSub / 2; // sample centers
    origin = dx * (half - f.y[a]) - dy * (half - f.x[a]) - (owns_border ? 0 : 1);
    step_x = -dy * kSub;
    step_y = dx * kSub;
  }
  std::int64_t at(int x, int y) const { return origin + step_x * x + step_y * y; }
};

// 1 / depth is linear over the picture. The extremes guard slivers, where the slope is huge.
struct DepthPlane {
  double origin, step_x, step_y, least, most;

  explicit DepthPlane(const Flat& f) {
    const double per_area = 1 / static_cast<double>(doubleArea(f)), d0 = f.inverse_depth[0];
    const double d1 = f.inverse_depth[1] - d0, d2 = f.inverse_depth[2] - d0;
    const double x1 = f.x[1] - f.x[0], x2 = f.x[2] - f.x[0], y1 = f.y[1] - f.y[0], y2 = f.y[2] - f.y[0];
    const double per_x = (d1 * y2 - d2 * y1) * per_area, per_y = (d2 * x1 - d1 * x2) * per_area;
    origin = d0 + per_x * (kSub / 2 - f.x[0]) + per_y * (kSub / 2 - f.y[0]);
    step_x = per_x * kSub;
    step_y = per_y * kSub;
    least = std::min({f.inverse_depth[0], f.inverse_depth[1], f.inverse_depth[2]});
    most = std::max({f.inverse_depth[0], f.inverse_depth[1], f.inverse_depth[2]});
  }
  float at(int x, int y) const { return static_cast<float>(std::clamp(origin + step_x * x + step_y * y, least, most)); }
};

void drawRows(const Flat& f, Range rows, const Holes* holes, Visibility& seen) {
  const Range columns = coveredRange(f.x, seen.width);
  const Edge e0(f, 1, 2), e1(f, 2, 0), e2(f, 0, 1);
  const DepthPlane depth(f);
  const bool holed = holes != nullptr && holes->cutoff_of_triangle[f.triangle] > 0;
  for (int y = rows.first; y <= rows.last; ++y) {
    std::int64_t w0 = e0.at(columns.first, y), w1 = e1.at(columns.first, y), w2 = e2.at(columns.first, y);
    std::size_t i = seen.index(columns.first, y);
    int x = columns.first;
    const auto step = [&] { ++x, ++i, w0 += e0.step_x, w1 += e1.step_x, w2 += e2.step_x; };
    while (x <= columns.last && (w0 | w1 | w2) < 0) step();
    for (; x <= columns.last && (w0 | w1 | w2) >= 0; step()) { // the samples of a row inside a triangle are one run
      const float d = depth.at(x, y);
      if (d > seen.inverse_depth[i] && (!holed || holes->solid(f.triangle, x, y)))
        seen.inverse_depth[i] = d, seen.triangle[i] = f.triangle;
    }
  }
}

} // namespace

Visibility rasterize(std::span<const Vec3f> view_positions, std::span<const Triangle> triangles,
                     const Projection& projection, const Holes* holes) {
  Visibility seen;
  seen.width = projection.width;
  seen.height = projection.height;
  const std::size_t samples = static_cast<std::size_t>(seen.width) * static_cast<std::size_t>(seen.height);
  seen.triangle.assign(samples, kNothing);
  seen.inverse_depth.assign(samples, 0.0f);
  const std::vector<std::vector<Flat>> parts = flatten(view_positions, triangles, projection);
  std::vector<std::vector<const Flat*>> bands(static_cast<std::size_t>((seen.height + kBandHeight - 1) / kBandHeight));
  for (const auto& part : parts)
    for (const Flat& flat : part) {
      const Range rows = coveredRange(flat.y, seen.height);
      for (int b = rows.first / kBandHeight; b <= rows.last / kBandHeight; ++b)
        bands[static_cast<std::size_t>(b)].push_back(&flat);
    }
  parallelChunks(bands.size(), 1, [&](std::size_t band, std::size_t, std::size_t) {
    const int first = static_cast<int>(band) * kBandHeight, last = first + kBandHeight - 1;
    for (const Flat* flat : bands[band]) {
      const Range rows = coveredRange(flat->y, seen.height);
      drawRows(*flat, {std::max(rows.first, first), std::min(rows.last, last)}, holes, seen);
    }
  });
  return seen;
}

} // namespace skincells::render
