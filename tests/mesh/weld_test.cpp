#include <gtest/gtest.h>

#include "base/random.h"
#include "skincells/mesh.h"
#include "support/shapes.h"

namespace skincells {
namespace {

TEST(Weld, EmptyAndSingle) {
  EXPECT_EQ(weldByPosition({}, 0).weldedCount(), 0U);
  const std::vector<Vec3f> one{{1, 2, 3}};
  EXPECT_EQ(weldByPosition(one, 0).weldedCount(), 1U);
}

TEST(Weld, SplitMeshComesTogetherAgain) {
  const Mesh tube = test::tube(4, 0.5, 9, 12);
  const Mesh split = test::unwelded(tube);
  const Weld weld = weldByPosition(split.positions, weldTolerance(split));
  EXPECT_EQ(weld.weldedCount(), tube.vertexCount());
  for (std::uint32_t v = 0; v < split.vertexCount(); ++v)
    EXPECT_EQ(split.positions[weld.first_vertex[weld.welded_of_vertex[v]]], split.positions[v]);
}

TEST(Weld, ToleranceJoinsAcrossCellBorders) {
  Random random(3);
  std::vector<Vec3f> points;
  for (int i = 0; i < 500; ++i) {
    const Vec3f p{static_cast<float>(random.uniform()), static_cast<float>(random.uniform()), 0};
    points.push_back(p);
    points.push_back(p + Vec3f{4e-5f, -4e-5f, 4e-5f});
  }
  const Weld weld = weldByPosition(points, 1e-4);
  for (std::size_t v = 0; v < points.size(); v += 2)
    EXPECT_EQ(weld.welded_of_vertex[v], weld.welded_of_vertex[v + 1]) << v;
  EXPECT_EQ(weldByPosition(points, 1e-6).weldedCount(), 1000U);
}

TEST(Weld, AllOnOnePointAndNegativeZero) {
  std::vector<Vec3f> points(100, Vec3f{0, 0, 0});
  points[7] = {-0.0f, 0, -0.0f};
  EXPECT_EQ(weldByPosition(points, 0).weldedCount(), 1U);
}

TEST(Weld, NumberedByFirstAppearance) {
  const std::vector<Vec3f> points{{1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const Weld weld = weldByPosition(points, 0);
  EXPECT_EQ(weld.welded_of_vertex, (std::vector<std::uint32_t>{0, 1, 0, 2}));
  EXPECT_EQ(weld.first_vertex, (std::vector<std::uint32_t>{0, 1, 3}));
}

} // namespace
} // namespace skincells
