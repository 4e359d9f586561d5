#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "mesh/point_tree.h"

namespace skincells {
namespace {

using mesh::PointTree;

TEST(PointTree, WithoutPointsThereIsNoNearest) {
  const std::vector<Vec3f> points{{1, 2, 3}};
  EXPECT_EQ(PointTree(points, {}).nearest({0, 0, 0}), PointTree::kNone);
}

TEST(PointTree, AgreesWithAFullSearch) {
  Random random(11);
  std::vector<Vec3f> points;
  for (int i = 0; i < 400; ++i) // a coarse lattice, so that many points coincide
    points.push_back({static_cast<float>(random.below(5)), static_cast<float>(random.below(5)),
                      static_cast<float>(random.below(5))});
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t i = 0; i < points.size(); i += 2) chosen.push_back(i);
  const PointTree tree(points, chosen);
  for (int i = 0; i < 200; ++i) {
    const Vec3d q{random.uniform(-1, 6), random.uniform(-1, 6), static_cast<double>(random.below(6))};
    std::uint32_t best = chosen[0];
    for (std::uint32_t c : chosen)
      if (length(toDouble(points[c]) - q) < length(toDouble(points[best]) - q)) best = c;
    EXPECT_EQ(tree.nearest(q), best);
  }
}

TEST(PointTree, SeveralAgreeWithAFullSearch) {
  Random random(12);
  std::vector<Vec3f> points;
  for (int i = 0; i < 300; ++i)
    points.push_back({static_cast<float>(random.below(7)), static_cast<float>(random.below(7)),
                      static_cast<float>(random.below(7))});
  std::vector<std::uint32_t> all(points.size());
  std::iota(all.begin(), all.end(), 0U);
  const PointTree tree(points, all);
  std::vector<std::uint32_t> found;
  for (std::size_t count : {0U, 1U, 5U, 300U, 1000U}) {
    const Vec3d q{random.uniform(-1, 7), 3, random.uniform(-1, 7)};
    std::vector<std::uint32_t> expected = all;
    std::ranges::stable_sort(expected, {}, [&](std::uint32_t i) {
      const Vec3d d = toDouble(points[i]) - q;
      return dot(d, d);
    });
    expected.resize(std::min(count, expected.size()));
    tree.nearest(q, count, found);
    EXPECT_EQ(found, expected) << count;
  }
}

TEST(PointTree, AllOnOnePoint) {
  const std::vector<Vec3f> points(1000, Vec3f{1, 1, 1});
  std::vector<std::uint32_t> all(points.size());
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(PointTree(points, all).nearest({5, 5, 5}), 0U);
}

} // namespace
} // namespace skincells
