#include "support/torture.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/shapes.h"

namespace skincells::test {
namespace {

Character with(Mesh mesh, Skeleton skeleton) {
  Character c;
  c.name = "torture";
  c.mesh = std::move(mesh);
  c.skeleton = std::move(skeleton);
  return c;
}

// Mesh and skeleton under one map of space.
Character mapped(Character c, const Affine& map) {
  for (Vec3f& p : c.mesh.positions) p = toFloat(map.apply(toDouble(p)));
  for (Joint& j : c.skeleton.joints) j.bind = map * j.bind, j.rest = map * j.rest;
  return c;
}

Affine scaling(double x, double y, double z) {
  return Affine::fromTrs({}, {0, 0, 0, 1}, {x, y, z});
}

// Every joint's own axes changed, its place kept.
Character withAxes(Character c, const Affine& axes) {
  for (Joint& j : c.skeleton.joints) j.bind = j.rest = Affine::fromTranslation(j.bind.translation()) * axes;
  return c;
}

void addSkeletons(std::vector<TortureCase>& out) {
  const Mesh body = tube(4, 0.4, 17, 8);
  for (int joints : {1, 2, 3, 4, 5}) out.push_back({"Joints" + std::to_string(joints), with(body, chain(joints, 4))});
  Character outside = with(body, chain(5, 4));
  for (Joint& j : outside.skeleton.joints) j.bind.m[0][3] = j.rest.m[0][3] = 100;
  out.push_back({"JointsOutside", outside});
  Character coincident = with(body, chain(6, 4));
  for (Joint& j : coincident.skeleton.joints) j.bind = j.rest = Affine::fromTranslation({0, 1, 0});
  out.push_back({"CoincidentJoints", coincident});
  Character pairs = with(body, chain(8, 4)); // every second bone has no length
  for (std::size_t j = 1; j < 8; j += 2) pairs.skeleton.joints[j].bind = pairs.skeleton.joints[j - 1].bind;
  out.push_back({"ZeroLengthBones", pairs});
  Skeleton forest;
  for (int j = 0; j < 6; ++j) addJoint(forest, "", kNoParent, {0, 0.7 * j, 0});
  out.push_back({"ForestWithoutNames", with(body, forest)});
  Skeleton star;
  addJoint(star, "hub", kNoParent, {0, 2, 0});
  for (int j = 0; j < 100; ++j) addJoint(star, "leaf", 0, {0.3 * std::cos(j), 0.04 * j, 0.3 * std::sin(j)});
  out.push_back({"StarOfEqualNames", with(body, star)});
  Character on_vertices = with(body, {});
  for (int j = 0; j < 12; ++j)
    addJoint(on_vertices.skeleton, "j", j - 1, toDouble(body.positions[static_cast<std::size_t>(j * 7)]));
  out.push_back({"JointsOnVertices", on_vertices});
  Character controls = with(body, chain(5, 4));
  for (Joint& j : controls.skeleton.joints) j.name = "IK_target_ctrl";
  out.push_back({"ControlsOnly", controls});
  Character reversed = with(body, {});
  for (int j = 0; j < 5; ++j) addJoint(reversed.skeleton, "r", j == 4 ? kNoParent : j + 1, {0, 3.2 - 0.8 * j, 0});
  out.push_back({"ParentsAfterChildren", reversed});
}

void addMatrices(std::vector<TortureCase>& out) {
  const Character c = with(tube(4, 0.4, 17, 8), chain(5, 4));
  Affine shear;
  shear.m[0][1] = 3;
  Affine flat = scaling(1, 0, 1);
  out.push_back({"MirroredAxes", withAxes(c, scaling(-1, 1, 1))});
  out.push_back({"NegativeAxes", withAxes(c, scaling(-2, -3, -1))});
  out.push_back({"ShearedAxes", withAxes(c, shear)});
  out.push_back({"FlatAxes", withAxes(c, flat)});
  out.push_back({"HugeAxes", withAxes(c, scaling(1e9, 1e9, 1e9))});
  out.push_back({"MirroredWorld", mapped(c, scaling(-1, 1, 1))});
  out.push_back({"HugeWorld", mapped(c, scaling(1e6, 1e6, 1e6))});
  out.push_back({"TinyWorld", mapped(c, scaling(1e-6, 1e-6, 1e-6))});
  out.push_back({"ThinWorld", mapped(c, scaling(1e-6, 1, 1e-6))});
  out.push_back({"FarFromTheOrigin", mapped(c, Affine::fromTranslation({1e6, -1e6, 1e6}))});
  Character lost = c; // the skeleton in other units than the mesh
  for (Joint& j : lost.skeleton.joints)
    for (int row = 0; row < 3; ++row) j.bind.m[row][3] *= 100, j.rest.m[row][3] *= 100;
  out.push_back({"SkeletonInOtherUnits", lost});
  Character unusable = c;
  for (Joint& j : unusable.skeleton.joints) j.bind_usable = false;
  out.push_back({"NoUsableBind", unusable});
}

void addMeshes(std::vector<TortureCase>& out) {
  const Skeleton skeleton = chain(5, 4);
  Mesh triangle = nonManifoldFan();
  triangle.positions.resize(3);
  triangle.triangles.resize(1);
  out.push_back({"OneTriangle", with(triangle, skeleton)});
  out.push_back({"NonManifoldFan", with(nonManifoldFan(), skeleton)});
  Mesh vertex;
  vertex.positions = {{0, 1, 0}};
  out.push_back({"OneVertex", with(vertex, skeleton)});
  Character flat = with(grid(8, 8), {});
  for (int j = 0; j < 6; ++j) addJoint(flat.skeleton, "f", j - 1, {1.5 * j, 0, 4});
  out.push_back({"FlatMesh", flat});
  Mesh line = tube(4, 0.4, 17, 8);
  for (Vec3f& p : line.positions) p.x = p.z = 0;
  out.push_back({"Collinear", with(line, skeleton)});
  Mesh point = tube(4, 0.4, 5, 8);
  for (Vec3f& p : point.positions) p = {0.3F, 1, 0};
  out.push_back({"OnePoint", with(point, skeleton)});
  Mesh cloud = tube(4, 0.4, 17, 8);
  cloud.triangles.clear();
  out.push_back({"PointCloud", with(cloud, skeleton)});
  Mesh twice = tube(4, 0.4, 17, 8);
  const auto once = twice.triangles;
  for (const Triangle& t : once) twice.triangles.push_back(t), twice.triangles.push_back({t[0], t[2], t[1]});
  out.push_back({"DuplicateTriangles", with(twice, skeleton)});
  Mesh degenerate = tube(4, 0.4, 17, 8);
  for (std::uint32_t v = 0; v + 2 < degenerate.vertexCount(); v += 3)
    degenerate.triangles.push_back({v, v, v + 1}), degenerate.triangles.push_back({v, v, v});
  out.push_back({"DegenerateTriangles", with(degenerate, skeleton)});
  Mesh loose = tube(4, 0.4, 17, 8);
  for (int i = 0; i < 20; ++i) loose.positions.push_back({static_cast<float>(i), 50, -3});
  out.push_back({"IsolatedVertices", with(loose, skeleton)});
  Mesh stray = tube(4, 0.4, 17, 8);
  stray.positions.push_back({1e9F, 0, 0});
  out.push_back({"OneVertexFarAway", with(stray, skeleton)});
  Mesh away = tube(4, 0.4, 17, 8);
  for (Vec3f& p : away.positions) p.x += 1e5F;
  out.push_back({"TwoBodiesFarApart", with(joined(tube(4, 0.4, 17, 8), away), skeleton)});
  Mesh inside_out = tube(4, 0.4, 17, 8);
  for (Triangle& t : inside_out.triangles) std::swap(t[1], t[2]);
  out.push_back({"InsideOut", with(inside_out, skeleton)});
  out.push_back({"EveryCornerItsOwnVertex", with(unwelded(tube(4, 0.4, 9, 8)), skeleton)});
}

} // namespace

std::vector<TortureCase> tortureFamily() {
  std::vector<TortureCase> out;
  addSkeletons(out);
  addMatrices(out);
  addMeshes(out);
  return out;
}

Character triangleSoup(int triangle_count, int joint_count) {
  Random random(11);
  Mesh mesh;
  const auto at = [&](double reach) {
    return Vec3d{random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)};
  };
  for (int t = 0; t < triangle_count; ++t) {
    const Vec3d middle = Vec3d{0, 2, 0} + at(2);
    const auto first = mesh.vertexCount();
    for (int k = 0; k < 3; ++k) mesh.positions.push_back(toFloat(middle + at(0.2)));
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  MeshSection all;
  all.vertex_count = mesh.vertexCount();
  all.triangle_count = static_cast<std::uint32_t>(mesh.triangles.size());
  mesh.sections = {all};
  return with(std::move(mesh), chain(joint_count, 4));
}

void expectSound(const Character& c, const SparseWeights& w, int max_influences) {
  ASSERT_EQ(w.vertexCount(), c.mesh.positions.size());
  EXPECT_EQ(w.slots, max_influences);
  for (std::size_t v = 0; v < w.vertexCount(); ++v) {
    double sum = 0;
    for (std::size_t k = 0; k < w.weightRow(v).size(); ++k) {
      const float weight = w.weightRow(v)[k];
      ASSERT_TRUE(weight >= 0 && weight <= 1) << "vertex " << v;
      ASSERT_LT(w.jointRow(v)[k], c.skeleton.jointCount()) << "vertex " << v;
      ASSERT_LE(weight, w.weightRow(v)[k == 0 ? 0 : k - 1]) << "vertex " << v;
      for (std::size_t i = 0; i < k && weight > 0; ++i) ASSERT_NE(w.jointRow(v)[i], w.jointRow(v)[k]) << "vertex " << v;
      if (weight == 0) {
        ASSERT_EQ(w.jointRow(v)[k], 0) << "vertex " << v;
      }
      sum += static_cast<double>(weight);
    }
    ASSERT_NEAR(sum, 1, 1e-5) << "vertex " << v;
  }
}

} // namespace skincells::test
