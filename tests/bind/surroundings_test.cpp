#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "skincells/bind.h"
#include "skincells/metrics.h"
#include "support/shapes.h"
#include "support/torture.h"
#include "weights/rows_edit.h"

namespace skincells {
namespace {

BindOptions draft(BindMethod method = BindMethod::SkinCells) {
  BindOptions options;
  options.joints = "all";
  options.quality = BindQuality::Draft;
  options.method = method;
  return options;
}

BindResult mustBind(const Character& c, const BindOptions& options = draft()) {
  auto result = bind(c, options);
  EXPECT_TRUE(result) << result.error().text();
  if (result) test::expectSound(c, result->weights, options.max_influences);
  return result ? *std::move(result) : BindResult{};
}

bool warns(const BindResult& result, const std::string& code) {
  return std::ranges::any_of(result.report.warnings, [&](const Warning& w) { return w.code == code; });
}

// Mean half L1 distance over the vertices that both skins have.
double distance(const SparseWeights& a, const SparseWeights& b) {
  const std::size_t count = std::min(a.vertexCount(), b.vertexCount());
  double sum = 0;
  for (std::size_t v = 0; v < count; ++v) sum += weights::halfL1(weights::rowOf(a, v), weights::rowOf(b, v));
  return sum / static_cast<double>(count);
}

// A square just below the origin.
Mesh plane(double half_side, int quads) {
  Mesh mesh = test::grid(quads, quads);
  const auto scale = static_cast<float>(2 * half_side / quads);
  for (Vec3f& p : mesh.positions) {
    p.x = p.x * scale - static_cast<float>(half_side);
    p.y = -0.01F;
    p.z = p.z * scale - static_cast<float>(half_side);
  }
  return mesh;
}

constexpr BindMethod kMethods[] = {BindMethod::SkinCells, BindMethod::Heat, BindMethod::Proximity};

TEST(Surroundings, CleanCharactersHaveNone) {
  for (const auto& c : {test::tubeCharacter(), test::humanoidWithClips()}) {
    const BindResult result = mustBind(c);
    EXPECT_FALSE(warns(result, "bind.strays"));
    EXPECT_FALSE(warns(result, "bind.scenery"));
  }
}

TEST(Surroundings, LooseVerticesChangeNothing) {
  const Character clean = test::tubeCharacter();
  Character dirty = clean;
  for (float x : {20.0F, -1e6F, 0.5F}) dirty.mesh.positions.push_back({x, x, 0});
  for (BindMethod method : kMethods) {
    const BindResult result = mustBind(dirty, draft(method));
    EXPECT_EQ(distance(mustBind(clean, draft(method)).weights, result.weights), 0);
    EXPECT_TRUE(warns(result, "bind.strays"));
  }
}

TEST(Surroundings, GroundPlanesAreSceneryAndFollowTheTopJoint) {
  const Character clean = test::tubeCharacter();
  const double size = clean.mesh.bounds().diagonal();
  for (int quads : {1, 24})
    for (double half_side : {2.0, 10.0, 1000.0}) {
      Character dirty = clean;
      dirty.mesh = test::joined(clean.mesh, plane(half_side * size, quads));
      for (BindMethod method : kMethods) {
        const BindResult result = mustBind(dirty, draft(method));
        EXPECT_EQ(distance(mustBind(clean, draft(method)).weights, result.weights), 0) << half_side;
        EXPECT_TRUE(warns(result, "bind.scenery"));
        for (std::size_t v = clean.mesh.positions.size(); v < dirty.mesh.positions.size(); ++v) {
          ASSERT_EQ(result.weights.weightRow(v)[0], 1);
          ASSERT_EQ(result.weights.jointRow(v)[0], 0);
        }
      }
    }
}

TEST(Surroundings, TornVerticesFollowTheirNeighbors) {
  const Character clean = test::tubeCharacter();
  Character dirty = clean;
  const std::uint32_t torn = clean.mesh.vertexCount() / 2;
  dirty.mesh.positions[torn] = {300, 200, 100};
  const BindResult before = mustBind(clean), after = mustBind(dirty);
  EXPECT_TRUE(warns(after, "bind.strays"));
  EXPECT_LT(distance(before.weights, after.weights), 0.02);
  EXPECT_LT(weights::halfL1(weights::rowOf(before.weights, torn), weights::rowOf(after.weights, torn)), 0.3);
}

// The bits that modeling leaves behind change nothing of the character, and move with it.
TEST(Surroundings, SpecksChangeNothingAndFollowTheSurface) {
  const Character clean = test::tubeCharacter();
  Character dirty = clean;
  const std::uint32_t count = clean.mesh.vertexCount();
  constexpr std::uint32_t kSpecks = 12;
  for (std::uint32_t s = 0; s < kSpecks; ++s) {
    const Vec3f at = clean.mesh.positions[s * (count / kSpecks)];
    const std::uint32_t first = dirty.mesh.vertexCount();
    for (const Vec3f& d : {Vec3f{1e-4F, 0, 0}, Vec3f{0, 1e-4F, 0}, Vec3f{0, 0, 1e-4F}})
      dirty.mesh.positions.push_back({at.x * 1.001F + d.x, at.y + d.y, at.z + d.z});
    dirty.mesh.triangles.push_back({first, first + 1, first + 2});
  }
  dirty.mesh.sections = {};
  for (BindMethod method : kMethods) {
    const SparseWeights before = mustBind(clean, draft(method)).weights;
    const BindResult result = mustBind(dirty, draft(method));
    EXPECT_TRUE(warns(result, "bind.specks"));
    EXPECT_EQ(distance(before, result.weights), 0);
    for (std::uint32_t s = 0; s < kSpecks; ++s) {
      const auto row = weights::rowOf(result.weights, count + 3 * s);
      EXPECT_LT(weights::halfL1(weights::rowOf(before, s * (count / kSpecks)), row), 0.05);
      EXPECT_EQ(weights::halfL1(row, weights::rowOf(result.weights, count + 3 * s + 2)), 0);
    }
  }
}

TEST(Surroundings, MeshesWithoutAreaHaveNoSpecks) {
  Character cloud = test::tubeCharacter();
  cloud.mesh.triangles.clear();
  Character flat = test::tubeCharacter();
  for (Triangle& t : flat.mesh.triangles) t = {t[0], t[0], t[0]};
  for (const Character& c : {cloud, flat})
    for (BindMethod method : kMethods) EXPECT_FALSE(warns(mustBind(c, draft(method)), "bind.specks"));
}

TEST(Surroundings, PlacesFarFromTheOriginAreSaid) {
  for (const auto& [sizes, far] : {std::pair{10.0, false}, {1000.0, true}}) {
    Character c = test::tubeCharacter();
    const Affine by = Affine::fromTranslation({sizes * c.mesh.bounds().diagonal(), 0, 0});
    for (Vec3f& p : c.mesh.positions) p = toFloat(by.apply(toDouble(p)));
    for (Joint& j : c.skeleton.joints) j.bind = by * j.bind, j.rest = by * j.rest;
    EXPECT_EQ(warns(mustBind(c), "bind.far_from_origin"), far);
  }
}

// The triangles at a torn vertex are larger than all others, and specks are nearer to the bones.
TEST(Surroundings, ATornCharacterIsNoSceneryBesideSpecks) {
  const Character clean = test::tubeCharacter();
  Character dirty = clean;
  dirty.mesh.positions[clean.mesh.vertexCount() / 2] = {300, 200, 100};
  const std::uint32_t first = clean.mesh.vertexCount();
  for (float x : {0.0F, 1e-4F, 2e-4F}) dirty.mesh.positions.push_back({x, 1, x * x});
  dirty.mesh.triangles.push_back({first, first + 1, first + 2});
  dirty.mesh.sections = {};
  const BindResult result = mustBind(dirty);
  EXPECT_FALSE(warns(result, "bind.scenery"));
  EXPECT_LT(distance(mustBind(clean).weights, result.weights), 0.02);
}

TEST(Surroundings, PropsWithinReachArePartOfTheCharacter) {
  Character c = test::tubeCharacter();
  Mesh prop = test::tube(0.5, 0.05, 4, 8);
  for (Vec3f& p : prop.positions) p.x += 1;
  c.mesh = test::joined(c.mesh, prop);
  EXPECT_FALSE(warns(mustBind(c), "bind.scenery"));
}

TEST(Surroundings, SoupOfNearCoincidentCornersIsJoined) {
  const Character clean = test::tubeCharacter();
  Character soup = clean;
  soup.mesh = test::unwelded(clean.mesh);
  const BindResult exact = mustBind(soup);
  Random random(5, 0);
  const double noise = 1e-5 * clean.mesh.bounds().diagonal();
  for (Vec3f& p : soup.mesh.positions)
    for (float* x : {&p.x, &p.y, &p.z}) *x += static_cast<float>(noise * random.uniform(-1, 1));
  const BindResult result = mustBind(soup);
  EXPECT_FALSE(warns(result, "bind.soup"));
  EXPECT_LT(distance(exact.weights, result.weights), 0.05);
}

TEST(Surroundings, SoupThatCannotBeJoinedIsBoundByProximity) {
  Character soup = test::tubeCharacter();
  soup.mesh = test::unwelded(soup.mesh);
  for (std::size_t t = 0; t < soup.mesh.triangles.size(); ++t) { // shrink each triangle
    Vec3f center;
    for (std::uint32_t v : soup.mesh.triangles[t]) center += soup.mesh.positions[v] * (1.0F / 3);
    for (std::uint32_t v : soup.mesh.triangles[t])
      soup.mesh.positions[v] = center + (soup.mesh.positions[v] - center) * 0.9F;
  }
  const BindResult result = mustBind(soup);
  EXPECT_TRUE(warns(result, "bind.soup"));
  EXPECT_EQ(distance(result.weights, mustBind(soup, draft(BindMethod::Proximity)).weights), 0);
}

// Two tubes side by side, each with a chain of its own.
Character twoCharacters(float apart) {
  Character c = test::tubeCharacter();
  Character other = test::tubeCharacter();
  c.mesh.sections = {{"a", "", 0, c.mesh.vertexCount(), 0, static_cast<std::uint32_t>(c.mesh.triangles.size())}};
  const auto first_vertex = c.mesh.vertexCount(), first_triangle = c.mesh.sections[0].triangle_count;
  for (Vec3f& p : other.mesh.positions) p.x += apart;
  c.mesh = test::joined(c.mesh, other.mesh);
  c.mesh.sections = {{"a", "", 0, first_vertex, 0, first_triangle},
                     {"b", "", first_vertex, first_vertex, first_triangle, first_triangle}};
  c.mesh.sections[0].skeleton = 0;
  c.mesh.sections[1].skeleton = 1;
  const int count = c.skeleton.jointCount();
  for (Joint j : other.skeleton.joints) {
    j.name += "_b";
    if (j.parent != kNoParent) j.parent += count;
    j.bind = Affine::fromTranslation(j.bind.translation() + Vec3d{apart, 0, 0});
    j.rest = j.bind;
    j.skeleton = 1;
    c.skeleton.joints.push_back(std::move(j));
  }
  return c;
}

TEST(SeparateSkeletons, BindSeparateMeshes) {
  const Character alone = test::tubeCharacter();
  const int joints = alone.skeleton.jointCount();
  for (BindMethod method : kMethods) {
    const Character both = twoCharacters(0.35F); // they overlap
    const BindResult result = mustBind(both, draft(method));
    EXPECT_TRUE(warns(result, "bind.separate_skeletons"));
    EXPECT_EQ(result.report.joints.size(), both.skeleton.joints.size());
    for (std::size_t v = 0; v < both.mesh.positions.size(); ++v)
      for (std::size_t k = 0; k < result.weights.weightRow(v).size(); ++k) {
        if (result.weights.weightRow(v)[k] > 0) {
          ASSERT_EQ(result.weights.jointRow(v)[k] >= joints, v >= alone.mesh.positions.size()) << v;
        }
      }
    // Random poses differ: they are drawn for all joints of the file.
    EXPECT_LT(distance(mustBind(alone, draft(method)).weights, result.weights), 0.02);
  }
}

TEST(SeparateSkeletons, CanBeBoundTogether) {
  BindOptions options = draft(BindMethod::Proximity);
  options.skeletons = SkeletonChoice::Together;
  const BindResult result = mustBind(twoCharacters(0.35F), options);
  EXPECT_FALSE(warns(result, "bind.separate_skeletons"));
  EXPECT_GT(distance(result.weights, mustBind(test::tubeCharacter(), options).weights), 0.05);
}

} // namespace
} // namespace skincells
