// Changes of a character that should not change its skin, for every method.
#include <gtest/gtest.h>

#include <algorithm>

#include "skincells/bind.h"
#include "support/morphs.h"
#include "support/shapes.h"
#include "support/torture.h"

namespace skincells {
namespace {

// The methods, with how far apart two results may be posed: the largest distance of a vertex over random poses, in % of
// the diagonal. Proximity and heat only round differently; the optimizer of skin cells ends a little elsewhere when its
// sums are rounded differently, and the prior knows which way is up.
struct Method {
  BindMethod method;
  double nothing, rounding, tessellation;
};
constexpr Method kMethods[] = {
    {BindMethod::Proximity, 0, 1e-3, 0.05}, {BindMethod::Heat, 0, 0.02, 2}, {BindMethod::SkinCells, 0, 1.5, 3}};

double limitOf(const Method& method, const test::Morph& morph) {
  switch (morph.changes) {
  case test::Morph::Changes::Nothing:
    return method.nothing;
  case test::Morph::Changes::Rounding:
    return method.rounding;
  case test::Morph::Changes::Tessellation:
    break;
  }
  return method.tessellation;
}

SparseWeights bound(const Character& c, BindMethod method) {
  auto result = bind(c, {.method = method, .joints = "all"});
  EXPECT_TRUE(result) << result.error().text();
  return result ? std::move(result->weights) : SparseWeights{};
}

// A branching character without symmetry, so that no two joints tie.
Character branching() {
  Character c = test::tubeCharacter(5);
  for (int i = 0; i < 3; ++i)
    test::addJoint(c.skeleton, "branch" + std::to_string(i), i, {0.13 + 0.05 * i, 0.7 * i + 0.31, 0.21 - 0.1 * i});
  return c;
}

TEST(BindMetamorphic, ChangesThatDoNotMatter) {
  const Character c = branching();
  for (const Method& m : kMethods) {
    const SparseWeights reference = bound(c, m.method);
    for (const test::Morph& morph : test::morphs()) {
      SCOPED_TRACE(morph.name + ", method " + std::to_string(static_cast<int>(m.method)));
      const test::Morphed morphed = morph.apply(c);
      const SparseWeights weights = bound(morphed.character, m.method);
      test::expectSound(morphed.character, weights, 4);
      EXPECT_LE(test::posedApart(c, reference, test::originalRows(weights, morphed)), limitOf(m, morph));
    }
  }
}

TEST(BindMetamorphic, PermutedJoints) {
  const Character c = branching();
  const int n = c.skeleton.jointCount();
  Character p = c; // reversed: parents come after their children
  for (int j = 0; j < n; ++j) {
    Joint& joint = p.skeleton.joints[n - 1 - j];
    joint = c.skeleton.joints[j];
    if (joint.parent != kNoParent) joint.parent = n - 1 - joint.parent;
  }
  for (const Method& m : kMethods) {
    if (m.method == BindMethod::Proximity) continue; // where bones meet, distances tie and the order of joints decides
    SparseWeights permuted = bound(p, m.method);
    for (std::size_t i = 0; i < permuted.joints.size(); ++i)
      if (permuted.weights[i] > 0) permuted.joints[i] = static_cast<std::uint16_t>(n - 1 - permuted.joints[i]);
    EXPECT_LE(test::posedApart(c, bound(c, m.method), permuted), m.rounding);
  }
}

TEST(BindMetamorphic, ProximityNeedsNoTriangles) {
  const Character c = branching();
  Character upper = c; // half of the triangles; the other half's vertices are loose
  upper.mesh.triangles.resize(c.mesh.triangles.size() / 2);
  EXPECT_EQ(bound(upper, BindMethod::Proximity).weights, bound(c, BindMethod::Proximity).weights);
}

} // namespace
} // namespace skincells
