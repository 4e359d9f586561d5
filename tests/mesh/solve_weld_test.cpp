#include "mesh/solve_weld.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/shapes.h"

namespace skincells {
namespace {

// The mesh with every coordinate moved by up to `amount`.
Mesh noisy(Mesh mesh, double amount) {
  Random random(3, 0);
  for (Vec3f& p : mesh.positions)
    for (float* x : {&p.x, &p.y, &p.z}) *x += static_cast<float>(amount * random.uniform(-1, 1));
  return mesh;
}

TEST(SolveWeld, JoinsBordersThatNearlyCoincide) {
  const Mesh mesh = test::tube(2, 0.3, 12, 16);
  const double size = mesh.bounds().diagonal();
  for (double noise : {0.0, 1e-7, 1e-6, 3e-6, 1e-5}) {
    const Mesh soup = noisy(test::unwelded(mesh), noise * size);
    const Weld weld = mesh::weldForSolve(soup);
    EXPECT_EQ(weld.weldedCount(), mesh.vertexCount()) << noise;
    EXPECT_EQ(weldedMesh(soup, weld).triangles.size(), mesh.triangles.size()) << noise;
  }
}

TEST(SolveWeld, LeavesOtherGapsAndFineDetailAlone) {
  const Mesh mesh = test::tube(2, 0.3, 12, 16);
  const Mesh apart = noisy(test::unwelded(mesh), 1e-2);
  EXPECT_EQ(mesh::weldForSolve(apart).weldedCount(), apart.vertexCount());
  // A strip of tiny triangles beside a large mesh: its border is nearer to itself than the gap.
  Mesh fine = test::grid(4, 1);
  for (Vec3f& p : fine.positions) p = p * 1e-5F + Vec3f{0, 1, 0};
  const Mesh both = test::joined(mesh, fine);
  EXPECT_EQ(mesh::weldForSolve(both).weldedCount(), both.vertexCount());
}

TEST(SolveWeld, DoesNotDependOnTheOrderOfTheFile) {
  const Mesh mesh = test::unwelded(test::tube(2, 0.3, 12, 16));
  const Mesh solved = mesh::solveMesh(mesh, mesh::weldForSolve(mesh));
  Mesh other = mesh;
  const std::uint32_t count = mesh.vertexCount();
  std::ranges::reverse(other.positions);
  for (Triangle& t : other.triangles) t = {count - 1 - t[1], count - 1 - t[2], count - 1 - t[0]};
  std::ranges::reverse(other.triangles);
  other.triangles.insert(other.triangles.end(), other.triangles.begin(), other.triangles.begin() + 10); // twice
  const Mesh again = mesh::solveMesh(other, mesh::weldForSolve(other));
  EXPECT_EQ(again.positions, solved.positions);
  EXPECT_EQ(again.triangles, solved.triangles);
}

TEST(SolveWeld, TakesEmptyAndDegenerateMeshes) {
  EXPECT_EQ(mesh::weldForSolve({}).weldedCount(), 0U);
  Mesh point;
  point.positions = {{1, 2, 3}, {1, 2, 3}};
  EXPECT_EQ(mesh::weldForSolve(point).weldedCount(), 1U);
  point.triangles = {{0, 1, 0}};
  EXPECT_EQ(mesh::weldForSolve(point).weldedCount(), 1U);
}

TEST(TrimmedBounds, AreThePlainOnesWithoutStrays) {
  const Mesh mesh = test::tube(2, 0.3, 12, 16);
  EXPECT_EQ(trimmedBounds(mesh).lo, mesh.bounds().lo);
  EXPECT_EQ(trimmedBounds(mesh).hi, mesh.bounds().hi);
  EXPECT_TRUE(trimmedBounds({}).empty());
}

TEST(TrimmedBounds, IgnoreLooseAndFewFarVertices) {
  Mesh mesh = test::tube(2, 0.3, 12, 16);
  const double size = mesh.bounds().diagonal();
  mesh.positions.push_back({1e6F, 0, 0});
  EXPECT_EQ(trimmedBounds(mesh).diagonal(), size);
  mesh.positions.push_back({-1e6F, 0, 0});
  mesh.triangles.push_back({0, 1, mesh.vertexCount() - 1});
  EXPECT_LE(trimmedBounds(mesh).diagonal(), size);
  EXPECT_GE(trimmedBounds(mesh).diagonal(), 0.8 * size);
}

} // namespace
} // namespace skincells
