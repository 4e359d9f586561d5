// Decimation: closed surfaces stay closed, seams stay intact, and detail stays where shapes bend.
#include "mesh/decimate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace skincells::mesh {
namespace {

Mesh meshOf(const Mesh& mesh, const Decimated& d) {
  Mesh out = mesh;
  out.triangles = d.triangles;
  return out;
}

Decimated decimate(const Mesh& mesh, std::size_t count, Seams seams = Seams::Keep,
                   std::vector<std::vector<Vec3f>> shapes = {}) {
  const Weld weld = weldByPosition(mesh.positions, 0);
  shapes.insert(shapes.begin(), mesh.positions);
  Decimator decimator(mesh, weld, shapes);
  decimator.reduceTo(count, seams);
  EXPECT_EQ(decimator.result().triangles.size(), decimator.triangleCount());
  return decimator.result();
}

Topology topologyOf(const Mesh& mesh) {
  return analyzeTopology(mesh, weldByPosition(mesh.positions, 0));
}

double volume(const Mesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles)
    sum +=
        dot(toDouble(mesh.positions[t[0]]), cross(toDouble(mesh.positions[t[1]]), toDouble(mesh.positions[t[2]]))) / 6;
  return sum;
}

TEST(Decimate, AClosedSurfaceStaysClosed) {
  const Mesh tube = test::tube(4, 0.5, 40, 24);
  for (const double share : {0.5, 0.25, 0.1}) {
    const auto count = static_cast<std::size_t>(share * static_cast<double>(tube.triangles.size()));
    const Mesh small = meshOf(tube, decimate(tube, count));
    EXPECT_LE(small.triangles.size(), count);
    EXPECT_GE(small.triangles.size() + 2, count);
    const Topology topology = topologyOf(small);
    EXPECT_EQ(topology.open_edge_count, 0U);
    EXPECT_EQ(topology.non_manifold_edge_count, 0U);
    EXPECT_EQ(topology.degenerate_triangle_count, 0U);
    EXPECT_NEAR(volume(small) / volume(tube), 1, 0.1);
  }
}

// Two hubs with a hundred thousand triangles each, and the same drawn out to needles: the time must stay in proportion
// to the size, not to its square.
TEST(Decimate, HubsAndNeedlesTakeNoLonger) {
  const auto doubleCone = [](std::uint32_t sides, float height) {
    Mesh mesh;
    mesh.positions = {{0, height, 0}, {0, -height, 0}};
    for (std::uint32_t i = 0; i < sides; ++i) {
      const double angle = 2 * std::numbers::pi * i / sides;
      mesh.positions.push_back({static_cast<float>(std::cos(angle)), 0, static_cast<float>(std::sin(angle))});
      const std::uint32_t a = 2 + i, b = 2 + (i + 1) % sides;
      mesh.triangles.push_back({0, b, a});
      mesh.triangles.push_back({1, a, b});
    }
    return mesh;
  };
  for (const float height : {1.0F, 1000.0F, 0.0F}) {
    const Mesh cone = doubleCone(100'000, height);
    const auto start = std::chrono::steady_clock::now();
    const Decimated d = decimate(cone, 1000, Seams::Cross);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60)) << height;
    EXPECT_LE(d.triangles.size(), cone.triangles.size());
  }
}

TEST(Decimate, VerticesMapToTheirSurvivors) {
  const Mesh tube = test::tube(4, 0.5, 40, 24);
  const Decimated d = decimate(tube, 300);
  std::set<std::uint32_t> used;
  for (const Triangle& t : d.triangles) used.insert(t.begin(), t.end());
  ASSERT_EQ(d.survivor.size(), tube.positions.size());
  for (std::uint32_t v = 0; v < d.survivor.size(); ++v) {
    EXPECT_TRUE(used.contains(d.survivor[v]));
    EXPECT_EQ(d.survivor[v] == v, used.contains(v));
  }
}

TEST(Decimate, TrianglesMapToTheirSources) {
  const Mesh first = test::tube(4, 0.5, 20, 12);
  const Mesh both = test::joined(first, test::tube(2, 0.3, 10, 8));
  const Decimated d = decimate(both, both.triangles.size() / 3);
  ASSERT_EQ(d.triangles.size(), d.source.size());
  const auto partOf = [&](const Triangle& t) { return t[0] < first.vertexCount(); };
  for (std::size_t i = 0; i < d.triangles.size(); ++i) {
    EXPECT_EQ(partOf(d.triangles[i]), partOf(both.triangles[d.source[i]]));
  }
  EXPECT_TRUE(std::ranges::is_sorted(d.source));
}

// A flat open sheet needs two triangles, and keeps its outline.
TEST(Decimate, AFlatSheetKeepsItsOutline) {
  const Mesh sheet = test::grid(12, 9);
  const Mesh small = meshOf(sheet, decimate(sheet, 2));
  EXPECT_LE(small.triangles.size(), 6U);
  double area = 0;
  for (const Triangle& t : small.triangles)
    area += 0.5 * length(cross(toDouble(sheet.positions[t[1]]) - toDouble(sheet.positions[t[0]]),
                               toDouble(sheet.positions[t[2]]) - toDouble(sheet.positions[t[0]])));
  EXPECT_NEAR(area, 12 * 9, 1e-3);
}

// A closed tube that is cut along x = 0: triangles with x > 0 have separate vertices, numbered from `before`.
Mesh cutTube(std::uint32_t& before) {
  Mesh tube = test::tube(4, 0.5, 40, 24);
  before = tube.vertexCount();
  std::vector<std::uint32_t> twin(before, 0);
  for (Triangle& t : tube.triangles) {
    const auto x = [&](std::uint32_t v) { return static_cast<double>(tube.positions[v].x); };
    if (x(t[0]) + x(t[1]) + x(t[2]) <= 0) continue;
    for (std::uint32_t& v : t) {
      if (twin[v] == 0) {
        twin[v] = tube.vertexCount();
        tube.positions.push_back(Vec3f(tube.positions[v]));
      }
      v = twin[v];
    }
  }
  tube.sections.clear();
  return tube;
}

// A wing of two sheets, front and back, which have separate vertices at the same positions.
TEST(Decimate, SheetsThatLieOnOneAnotherCollapseTogether) {
  Mesh wing = test::grid(20, 20);
  const auto vertices = static_cast<std::uint32_t>(wing.positions.size());
  const std::size_t front = wing.triangles.size();
  for (std::size_t v = 0; v < vertices; ++v) wing.positions.push_back(wing.positions[v]);
  for (std::size_t t = 0; t < front; ++t) {
    const Triangle& c = wing.triangles[t];
    wing.triangles.push_back({c[0] + vertices, c[2] + vertices, c[1] + vertices});
  }
  wing.sections.clear();
  const Decimated d = decimate(wing, front / 5);
  EXPECT_LE(d.triangles.size(), front / 5);
  const auto of_front = std::ranges::count_if(d.source, [front](std::uint32_t t) { return t < front; });
  EXPECT_EQ(2 * static_cast<std::size_t>(of_front), d.triangles.size());
}

// Three flat sheets that meet in a line, like fins on a back: the line is simplified like the sheets.
TEST(Decimate, SheetsThatMeetInALineCollapseAlongIt) {
  Mesh book;
  for (const Vec3f& side : {Vec3f{1, 0, 0}, Vec3f{-1, 0, 0}, Vec3f{0, 1, 0}}) {
    const auto first = static_cast<std::uint32_t>(book.positions.size());
    const Mesh page = test::grid(20, 20);
    for (const Vec3f& p : page.positions) book.positions.push_back(side * p.x + Vec3f{0, 0, p.z});
    for (const Triangle& t : page.triangles) book.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  const std::size_t count = book.triangles.size() / 20;
  const Mesh small = meshOf(book, decimate(book, count, Seams::Cross));
  EXPECT_LE(small.triangles.size(), count);
  EXPECT_GT(topologyOf(small).non_manifold_edge_count, 0U);
}

// The cut surface gets no gap, and each side keeps its separate vertices. This also holds if seams may be given up, as
// long as the shape can be kept.
TEST(Decimate, SeamsStayIntact) {
  std::uint32_t before = 0;
  const Mesh tube = cutTube(before);
  for (const auto& [seams, divisor] : {std::pair(Seams::Keep, 6U), std::pair(Seams::Cross, 3U)}) {
    const Decimated d = decimate(tube, tube.triangles.size() / divisor, seams);
    const Mesh small = meshOf(tube, d);
    EXPECT_LE(small.triangles.size(), tube.triangles.size() / divisor);
    EXPECT_EQ(topologyOf(small).open_edge_count, 0U);
    for (std::size_t i = 0; i < d.triangles.size(); ++i)
      for (const std::uint32_t v : d.triangles[i]) EXPECT_EQ(v >= before, tube.triangles[d.source[i]][0] >= before);
  }
}

// Two bodies, one smooth and one faceted: the smooth one must not be over-simplified because of the seams of the other.
TEST(Decimate, ASmoothPartIsNotOverSimplifiedForSeamsElsewhere) {
  const Mesh smooth = test::tube(4, 0.5, 20, 12);
  Mesh faceted = test::unwelded(smooth);
  for (Vec3f& p : faceted.positions) p.x += 3;
  Mesh both = test::joined(smooth, faceted);
  const Decimated d = decimate(both, both.triangles.size() / 4, Seams::Cross);
  Mesh left = both, right = both;
  left.triangles.clear();
  right.triangles.clear();
  for (const Triangle& t : d.triangles) (t[0] < smooth.vertexCount() ? left : right).triangles.push_back(t);
  EXPECT_GT(volume(left), 0.5 * volume(smooth));
  EXPECT_GT(volume(right), 0.5 * volume(smooth));
  const Weld weld = weldByPosition(both.positions, 0);
  const std::vector<std::vector<Vec3f>> shapes{both.positions};
  Decimator decimator(both, weld, shapes);
  decimator.reduceTo(both.triangles.size() / 4, Seams::Cross);
  EXPECT_GT(decimator.crossedSeams(), 0U);
}

TEST(Decimate, AFacetedSurfaceNeedsToCrossSeams) {
  const Mesh hard = test::unwelded(test::tube(4, 0.5, 20, 12));
  EXPECT_EQ(decimate(hard, 10).triangles.size(), hard.triangles.size()); // nothing to give up
  const Mesh small = meshOf(hard, decimate(hard, hard.triangles.size() / 4, Seams::Cross));
  EXPECT_LE(small.triangles.size(), hard.triangles.size() / 4);
  EXPECT_EQ(topologyOf(small).open_edge_count, 0U);
}

// A straight tube needs no rings along its length, a tube that bends at half height needs some there.
TEST(Decimate, ShapesThatBendKeepRingsWhereTheyBend) {
  const Mesh tube = test::tube(4, 0.5, 41, 12);
  std::vector<Vec3f> bent = tube.positions;
  for (Vec3f& p : bent) {
    const float t = std::clamp((p.y - 1.8F) / 0.4F, 0.0F, 1.0F); // position in the bend, 0 .. 1
    const float angle = 1.2F * t, y = p.y - 2;
    p = {p.x * std::cos(angle) - y * std::sin(angle), 2 + p.x * std::sin(angle) + y * std::cos(angle), p.z};
  }
  const auto near_bend = [&](const Decimated& d) {
    std::set<std::uint32_t> vertices;
    for (const Triangle& t : d.triangles)
      for (const std::uint32_t v : t)
        if (std::fabs(tube.positions[v].y - 2) < 0.35F) vertices.insert(v);
    return vertices.size();
  };
  const std::size_t count = tube.triangles.size() / 8;
  const std::size_t with = near_bend(decimate(tube, count, Seams::Keep, {bent}));
  const std::size_t without = near_bend(decimate(tube, count));
  EXPECT_GT(with, 2 * without);
  EXPECT_GT(with, 12U);
}

TEST(Decimate, AnEmptyMeshStaysEmpty) {
  EXPECT_TRUE(decimate(Mesh{}, 0).triangles.empty());
}

// Three triangles that share one edge: no collapse keeps its topology.
TEST(Decimate, ANonManifoldFanDoesNotChange) {
  const Mesh fan = test::nonManifoldFan();
  EXPECT_EQ(decimate(fan, 0).triangles, fan.triangles);
}

TEST(Decimate, DegenerateTrianglesAreRemovedAndTheOthersKept) {
  const Mesh sheet = test::grid(2, 2);
  Mesh degenerate = sheet;
  degenerate.triangles.insert(degenerate.triangles.begin() + 3, {0, 0, 1});
  const Decimated d = decimate(degenerate, 100);
  EXPECT_EQ(d.triangles, sheet.triangles);
  EXPECT_EQ(d.source, (std::vector<std::uint32_t>{0, 1, 2, 4, 5, 6, 7, 8}));
}

} // namespace
} // namespace skincells::mesh
