// Inpainting of rows over a surface.
#include "transfer/inpaint.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace skincells::transfer {
namespace {

constexpr int kJoints = 19; // more than are solved for at once

// Every third vertex of a grid follows a separate joint; the others are unknown.
std::vector<char> scatter(const Mesh& mesh, SparseWeights& rows) {
  std::vector<char> known(mesh.positions.size(), 0);
  for (std::size_t v = 0; v < known.size(); v += 3) {
    known[v] = 1;
    rows.jointRow(v)[0] = static_cast<std::uint16_t>(v / 3 % kJoints);
    rows.weightRow(v)[0] = 1;
  }
  return known;
}

// Rows with few slots keep the largest weights of rows with a slot for every joint.
TEST(Inpaint, RowsKeepTheLargestWeights) {
  const Mesh mesh = test::grid(12, 9);
  SparseWeights all(mesh.positions.size(), kJoints), few(mesh.positions.size(), 3);
  const auto known = scatter(mesh, all);
  scatter(mesh, few);
  const Inpainted result = inpaintRows(mesh, known, all);
  EXPECT_EQ(inpaintRows(mesh, known, few).filled, result.filled);
  EXPECT_EQ(result.filled, static_cast<std::uint32_t>(std::ranges::count(known, 0)));
  for (std::size_t v = 0; v < known.size(); ++v) {
    float sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += all.weightRow(v)[k];
    ASSERT_GT(sum, 0.0F);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(few.weightRow(v)[k], all.weightRow(v)[k] / sum, 1e-5F);
      EXPECT_TRUE(all.weightRow(v)[k] == 0 || few.jointRow(v)[k] == all.jointRow(v)[k]) << v;
    }
  }
}

TEST(Inpaint, PartsWithoutAKnownRowDoNotChange) {
  Mesh far = test::grid(2, 2);
  for (Vec3f& p : far.positions) p.y += 5;
  const Mesh near = test::grid(4, 4), mesh = test::joined(near, far);
  SparseWeights rows(mesh.positions.size(), 2);
  std::vector<char> known(mesh.positions.size(), 0);
  known[0] = 1;
  rows.jointRow(0)[0] = 7;
  rows.weightRow(0)[0] = 1;
  const Inpainted result = inpaintRows(mesh, known, rows);
  EXPECT_EQ(result.filled, near.vertexCount() - 1);
  EXPECT_EQ(result.unreachable.size(), far.vertexCount());
  EXPECT_EQ(rows.jointRow(near.vertexCount() - 1)[0], 7);
  EXPECT_NEAR(rows.weightRow(near.vertexCount() - 1)[0], 1, 1e-6);
}

} // namespace
} // namespace skincells::transfer
