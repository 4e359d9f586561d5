#include "guess/prior/surface_labels.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace skincells::guess {
namespace {

double distanceTo(const std::vector<SurfaceLabel>& labels, std::size_t v, int joint) {
  for (int k = 0; k < kLabels; ++k)
    if (labels[v * kLabels + static_cast<std::size_t>(k)].joint == joint)
      return labels[v * kLabels + static_cast<std::size_t>(k)].distance;
  return -1;
}

TEST(SurfaceLabels, DistancesFollowTheEdges) {
  const Mesh mesh = test::grid(6, 1); // vertices 0 .. 6 along one side
  std::vector<int> owner(mesh.positions.size(), -1);
  owner[0] = 3;
  owner[6] = 5;
  const auto edges = mesh::clampedCotangentWeights(mesh);
  const std::vector<std::uint32_t> seeds{0, 6};
  const auto labels = spreadLabels(mesh.positions, edges, findIslands(mesh), seeds, owner);
  EXPECT_DOUBLE_EQ(distanceTo(labels, 0, 3), 0);
  EXPECT_DOUBLE_EQ(distanceTo(labels, 2, 3), 2);
  EXPECT_DOUBLE_EQ(distanceTo(labels, 2, 5), 4);
  EXPECT_EQ(labels[2 * kLabels].joint, 3); // nearest first
  EXPECT_EQ(labels[2 * kLabels + 2].joint, -1);
}

// Two grids, one above the other: the distance from a corner of the lower one to the same corner of the upper one.
double distanceUpwards(float height) {
  Mesh other = test::grid(2, 2);
  for (Vec3f& p : other.positions) p.y += height;
  const Mesh mesh = test::joined(test::grid(2, 2), other);
  std::vector<int> owner(mesh.positions.size(), -1);
  owner[0] = 1;
  const std::vector<std::uint32_t> seeds{0};
  return distanceTo(spreadLabels(mesh.positions, mesh::clampedCotangentWeights(mesh), findIslands(mesh), seeds, owner),
                    9, 1);
}

TEST(SurfaceLabels, IslandsAreReachedAtAPrice) {
  EXPECT_GT(distanceUpwards(3), 3); // farther than in space
  EXPECT_LT(distanceUpwards(3), 30);
}

TEST(SurfaceLabels, FarIslandsAreReachedToo) {
  EXPECT_GE(distanceUpwards(100), 100);
}

TEST(SurfaceLabels, TheMainPatchIsTheHeaviest) {
  const Mesh mesh = test::grid(6, 1);
  // One joint owns both ends; the middle belongs to another.
  std::vector<int> owner(mesh.positions.size(), 2);
  std::vector<double> mass(mesh.positions.size(), 1);
  for (std::size_t v = 0; v < owner.size(); ++v) {
    const float x = mesh.positions[v].x;
    if (x < 0.5F || x > 3.5F) owner[v] = 7;
  }
  const auto patch = mainPatchVertices(mesh::clampedCotangentWeights(mesh), owner, mass);
  for (std::uint32_t v : patch)
    if (owner[v] == 7) {
      EXPECT_GT(mesh.positions[v].x, 3.5F); // the larger of the two ends
    }
  EXPECT_EQ(std::ranges::count_if(patch, [&](std::uint32_t v) { return owner[v] == 7; }), 6);
}

} // namespace
} // namespace skincells::guess
