#include <gtest/gtest.h>

#include "field/evaluate.h"
#include "field/initialize.h"
#include "fit/field_mirror.h"
#include "guess/symmetry.h"
#include "support/shapes.h"

namespace skincells::guess {
namespace {

void addJoint(Skeleton& skeleton, const char* name, int parent, const Vec3d& at) {
  Joint j;
  j.name = name;
  j.parent = parent;
  j.bind = j.rest = Affine::fromTranslation(at);
  skeleton.joints.push_back(j);
}

Mesh tubeAt(float x) {
  Mesh tube = test::tube(4, 0.5, 9, 8);
  for (Vec3f& p : tube.positions) p.x += x;
  return tube;
}

// Two posts and a joint between them; the posts mirror each other in x = 1.
struct Posts {
  Mesh mesh = test::joined(tubeAt(-1), tubeAt(3));
  Skeleton skeleton;
  std::vector<int> all{0, 1, 2};

  explicit Posts(double right_height = 1, const char* left = "post.L", const char* right = "post.R") {
    addJoint(skeleton, "hub", kNoParent, {1, 0, 0});
    addJoint(skeleton, left, 0, {3, 1, 0});
    addJoint(skeleton, right, 0, {-1, right_height, 0});
  }
  std::optional<Symmetry> find() const {
    const GuessScene scene(mesh);
    return findSymmetry(scene, scene.place(skeleton), all);
  }
};

TEST(Symmetry, FindsPlaneAndPairsByName) {
  const auto found = Posts().find();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->normal, (Vec3d{1, 0, 0}));
  EXPECT_EQ(found->twin, (std::vector<int>{0, 2, 1}));
  EXPECT_EQ(found->joint_pairs, 1);
  EXPECT_EQ(found->joint_share, 1);
  EXPECT_NEAR(found->surface_share, 1, 1e-12);
}

TEST(Symmetry, FindsPlaneByPlaceWithoutNames) {
  const auto found = Posts(1, "a", "b").find();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->twin, (std::vector<int>{0, 2, 1}));
}

TEST(Symmetry, IsNotForAsymmetricPosesOrMeshes) {
  EXPECT_FALSE(Posts(2).find());
  Posts lame;
  for (Vec3f& p : lame.mesh.positions)
    if (p.x > 1) p.y *= 0.5F;
  EXPECT_FALSE(lame.find());
}

TEST(Symmetry, AveragedRowsMirrorEachOther) {
  const Posts posts;
  const GuessScene scene(posts.mesh);
  const auto found = findSymmetry(scene, scene.place(posts.skeleton), posts.all);
  ASSERT_TRUE(found);
  SparseWeights weights(posts.mesh.positions.size(), 2); // one side on its post, the other on the hub
  for (std::size_t v = 0; v < posts.mesh.positions.size(); ++v) {
    weights.jointRow(v)[0] = posts.mesh.positions[v].x > 1 ? 1 : 0;
    weights.weightRow(v)[0] = 1;
  }
  averageWithMirror(scene, *found, weights);
  for (std::size_t v = 0; v < posts.mesh.positions.size(); ++v) {
    EXPECT_FLOAT_EQ(weights.weightRow(v)[0], 0.5F);
    EXPECT_EQ(weights.jointRow(v)[0], 0);
    EXPECT_EQ(weights.jointRow(v)[1], posts.mesh.positions[v].x > 1 ? 1 : 2);
  }
}

// A field with every number off its start, over two pairs of twins.
struct TiedField {
  FieldParameters field;
  fit::FieldMirror mirror;

  explicit TiedField(int sites)
      : field(make(sites)), mirror(field, normalized(Vec3d{1, 0.5, -0.2}), 0.3, {1, 0, 3, 2}) {
    mirror.apply(field);
  }
  static FieldParameters make(int sites) {
    const std::vector<field::BoneSegment> bones{
        {0, {0.4, 0, 0}, {0.5, 1, 0}}, {1, {}, {}}, {2, {0.6, 0, 0}, {0.9, 1, 0}}, {3, {}, {}}};
    FieldParameters field = field::initializeField(bones, {4, sites, FieldShape::ScaleRotation, true}, 2, 0);
    for (std::size_t i = 0; i < field.values.size(); ++i) field.values[i] += 0.03F * static_cast<float>((i * 7) % 11);
    field.unit_origin = {0.1, 0.2, 0.3};
    return field;
  }
};

TEST(FieldMirror, WeightsMirrorEachOther) {
  for (int sites : {1, 4, 5}) {
    const TiedField tied(sites);
    std::vector<Vec3f> points, images, normals, image_normals;
    for (int i = 0; i < 60; ++i) {
      const Vec3d unit{0.1 * (i % 5), 0.2 * (i % 7), 0.15 * (i % 3)};
      points.push_back(toFloat(unit + tied.field.unit_origin));
      images.push_back(toFloat(tied.mirror.mirrored(unit) + tied.field.unit_origin));
      const Vec3d normal = normalized(Vec3d{1.0 * (i % 4) - 1.5, 1.0 * (i % 3) - 1, 0.5});
      normals.push_back(toFloat(normal));
      image_normals.push_back(toFloat(tied.mirror.mirrored(unit + normal) - tied.mirror.mirrored(unit)));
    }
    const SparseWeights here = field::evaluateHard(tied.field, {points, normals});
    const SparseWeights there = field::evaluateHard(tied.field, {images, image_normals});
    for (std::size_t v = 0; v < points.size(); ++v)
      for (std::size_t k = 0; k < here.weightRow(v).size(); ++k) {
        if (here.weightRow(v)[k] == 0) continue;
        float image = 0;
        for (std::size_t i = 0; i < there.weightRow(v).size(); ++i)
          if (tied.mirror.twins()[there.jointRow(v)[i]] == here.jointRow(v)[k]) image += there.weightRow(v)[i];
        EXPECT_NEAR(image, here.weightRow(v)[k], 2e-4) << sites << " sites, point " << v;
      }
  }
}

TEST(FieldMirror, CellsWithoutATwinStayFree) {
  FieldParameters field = TiedField::make(3);
  const std::vector<float> before = field.values;
  std::vector<float> gradient(before.size(), 1.0F);
  const fit::FieldMirror mirror(field, {1, 0, 0}, 0.3, {-1, -1, -1, -1});
  mirror.apply(field);
  mirror.fold(field.layout, gradient);
  EXPECT_EQ(field.values, before);
  EXPECT_EQ(gradient, std::vector<float>(before.size(), 1.0F));
}

TEST(FieldMirror, FoldIsTheTransposeOfApply) {
  for (int sites : {4, 5}) {
    const TiedField tied(sites);
    // Along a step of the free numbers, a linear function of all of them changes by what the folded derivative says.
    std::vector<float> gradient(tied.field.values.size());
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = static_cast<float>((i * 5) % 13) - 6;
    std::vector<float> folded = gradient;
    tied.mirror.fold(tied.field.layout, folded);
    FieldParameters moved = tied.field;
    double expected = 0, actual = 0;
    for (std::size_t i = 0; i < folded.size(); ++i) {
      const float step = folded[i] == 0 ? 0 : 0.01F * static_cast<float>(i % 3);
      moved.values[i] += step;
      expected += static_cast<double>(folded[i]) * static_cast<double>(step);
    }
    tied.mirror.apply(moved);
    for (std::size_t i = 0; i < gradient.size(); ++i)
      actual += static_cast<double>(gradient[i]) * static_cast<double>(moved.values[i] - tied.field.values[i]);
    EXPECT_NEAR(actual, expected, 1e-3 * std::abs(expected)) << sites;
  }
}

} // namespace
} // namespace skincells::guess
