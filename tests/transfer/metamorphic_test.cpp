// Changes of the source, of the target or of both that should not change a transferred skin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "skincells/transfer.h"
#include "support/morphs.h"
#include "support/shapes.h"

namespace skincells::test {
namespace {

// How far apart two results may be posed, in % of the diagonal.
struct Method {
  TransferMethod via;
  double rounding, tessellation;
};
constexpr Method kMethods[] = {
    {TransferMethod::Closest, 1e-2, 1}, {TransferMethod::Robust, 1e-2, 1}, {TransferMethod::Field, 1, 2}};

double limitOf(const Method& method, const Morph& morph) {
  if (morph.changes == Morph::Changes::Tessellation) return method.tessellation;
  return method.rounding;
}

// A tube with a bent chain, so that no two joints tie and no side is like another.
Character skinned(int rings, int sides) {
  Character c = tubeCharacter(4);
  c.mesh = tube(4, 0.5, rings, sides);
  for (Vec3f& p : c.mesh.positions) p.x += 0.1F * p.y * p.y;
  for (Joint& joint : c.skeleton.joints)
    for (Affine* a : {&joint.bind, &joint.rest}) a->m[0][3] = 0.1 * a->m[1][3] * a->m[1][3];
  c.weights = SparseWeights(c.mesh.positions.size(), 2);
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
    const double along = std::clamp(static_cast<double>(c.mesh.positions[v].y), 0.0, 2.999);
    const double share = along - std::floor(along);
    c.weights.jointRow(v)[0] = static_cast<std::uint16_t>(along);
    c.weights.jointRow(v)[1] = static_cast<std::uint16_t>(along + 1);
    c.weights.weightRow(v)[0] = static_cast<float>(1 - share);
    c.weights.weightRow(v)[1] = static_cast<float>(share);
  }
  canonicalize(c.weights, 2);
  return c;
}

SparseWeights carried(const Character& source, const Character& target, TransferMethod via) {
  TransferOptions options;
  options.via = via;
  options.max_influences = 2;
  options.fit_steps = 60;
  auto result = transferSkin(source, target, options);
  EXPECT_TRUE(result) << result.error().text();
  return result ? std::move(result->weights) : SparseWeights{};
}

TEST(TransferMetamorphic, ChangesOfBoth) {
  const Character source = skinned(21, 12), target = skinned(15, 9);
  for (const Method& m : kMethods) {
    const SparseWeights reference = carried(source, target, m.via);
    for (const Morph& morph : morphs()) {
      SCOPED_TRACE(morph.name + ", method " + std::to_string(static_cast<int>(m.via)));
      const Morphed from = morph.apply(source), to = morph.apply(target);
      const SparseWeights weights = carried(from.character, to.character, m.via);
      ASSERT_EQ(weights.vertexCount(), to.character.mesh.positions.size());
      EXPECT_LE(posedApart(target, reference, originalRows(weights, to)), limitOf(m, morph));
    }
  }
}

// Only one of them, where both stay in the same place.
TEST(TransferMetamorphic, ChangesOfOne) {
  const Character source = skinned(21, 12), target = skinned(15, 9);
  for (const Method& m : kMethods) {
    const SparseWeights reference = carried(source, target, m.via);
    for (const Morph& morph : morphs()) {
      const Morphed from = morph.apply(source), to = morph.apply(target);
      if (!(from.character.skeleton.bindPosition(3) == source.skeleton.bindPosition(3))) continue;
      SCOPED_TRACE(morph.name + ", method " + std::to_string(static_cast<int>(m.via)));
      const double limit = limitOf(m, morph);
      EXPECT_LE(posedApart(target, reference, carried(from.character, target, m.via)), limit) << "of the source";
      EXPECT_LE(posedApart(target, reference, originalRows(carried(source, to.character, m.via), to)), limit)
          << "of the target";
    }
  }
}

} // namespace
} // namespace skincells::test
