#include "support/shapes.h"

#include <cmath>

namespace skincells::test {
namespace {

void oneSection(Mesh& mesh) {
  MeshSection s;
  s.name = "mesh";
  s.vertex_count = mesh.vertexCount();
  s.triangle_count = static_cast<std::uint32_t>(mesh.triangles.size());
  mesh.sections = {s};
}

} // namespace

Mesh tube(double height, double radius, int rings, int sides) {
  Mesh mesh;
  for (int r = 0; r < rings; ++r)
    for (int s = 0; s < sides; ++s) {
      const double a = 2 * M_PI * s / sides;
      mesh.positions.push_back(toFloat({radius * std::cos(a), height * r / (rings - 1), radius * std::sin(a)}));
    }
  const auto at = [&](int r, int s) { return static_cast<std::uint32_t>(r * sides + s % sides); };
  for (int r = 0; r + 1 < rings; ++r)
    for (int s = 0; s < sides; ++s) {
      mesh.triangles.push_back({at(r, s), at(r + 1, s), at(r + 1, s + 1)});
      mesh.triangles.push_back({at(r, s), at(r + 1, s + 1), at(r, s + 1)});
    }
  const auto bottom = mesh.vertexCount();
  mesh.positions.push_back({0, 0, 0});
  mesh.positions.push_back({0, static_cast<float>(height), 0});
  for (int s = 0; s < sides; ++s) {
    mesh.triangles.push_back({bottom, at(0, s), at(0, s + 1)});
    mesh.triangles.push_back({bottom + 1, at(rings - 1, s + 1), at(rings - 1, s)});
  }
  oneSection(mesh);
  return mesh;
}

Mesh grid(int nx, int nz) {
  Mesh mesh;
  for (int z = 0; z <= nz; ++z)
    for (int x = 0; x <= nx; ++x) mesh.positions.push_back({static_cast<float>(x), 0, static_cast<float>(z)});
  const auto at = [&](int x, int z) { return static_cast<std::uint32_t>(z * (nx + 1) + x); };
  for (int z = 0; z < nz; ++z)
    for (int x = 0; x < nx; ++x) {
      mesh.triangles.push_back({at(x, z), at(x, z + 1), at(x + 1, z + 1)});
      mesh.triangles.push_back({at(x, z), at(x + 1, z + 1), at(x + 1, z)});
    }
  oneSection(mesh);
  return mesh;
}

Mesh joined(const Mesh& a, const Mesh& b) {
  Mesh mesh = a;
  const auto offset = a.vertexCount();
  mesh.positions.insert(mesh.positions.end(), b.positions.begin(), b.positions.end());
  for (const Triangle& t : b.triangles) mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  oneSection(mesh);
  return mesh;
}

Mesh unwelded(const Mesh& in) {
  Mesh mesh;
  for (const Triangle& t : in.triangles) {
    const auto first = mesh.vertexCount();
    for (auto v : t) mesh.positions.push_back(in.positions[v]);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  oneSection(mesh);
  return mesh;
}

Mesh nonManifoldFan() {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
  oneSection(mesh);
  return mesh;
}

void addJoint(Skeleton& skeleton, const std::string& name, int parent, const Vec3d& at) {
  Joint joint;
  joint.name = name;
  joint.parent = parent;
  joint.bind = joint.rest = Affine::fromTranslation(at);
  skeleton.joints.push_back(joint);
}

Skeleton chain(int count, double height) {
  Skeleton skeleton;
  for (int j = 0; j < count; ++j) addJoint(skeleton, "joint" + std::to_string(j), j - 1, {0, height * j / count, 0});
  return skeleton;
}

Character tubeCharacter(int joint_count) {
  Character c;
  c.name = "tube";
  c.mesh = tube(4, 0.4, 33, 12);
  c.skeleton = chain(joint_count, 4);
  return c;
}

Character humanoidWithClips() {
  Character c = tubeCharacter(1);
  Skeleton& s = c.skeleton;
  s = {};
  const auto add = [&s](const std::string& name, int parent, const Vec3d& at) {
    addJoint(s, name, parent, at);
    return s.jointCount() - 1;
  };
  const int hips = add("Hips", -1, {0, 1, 0}), chest = add("Chest", hips, {0, 1.4, 0});
  for (int side : {1, -1}) {
    const std::string name = side > 0 ? "Left" : "Right";
    add(name + "LowerArm", add(name + "UpperArm", chest, {side * 0.2, 1.5, 0}), {side * 0.5, 1.5, 0});
    add(name + "LowerLeg", add(name + "UpperLeg", hips, {side * 0.1, 1, 0}), {side * 0.1, 0.5, 0});
  }
  add("Tail", hips, {0, 1, -1});
  for (double angle : {0.0, 0.3, 0.6}) {
    std::vector<Affine> turns(s.joints.size());
    turns[static_cast<std::size_t>(s.find("LeftUpperArm"))] = Affine::rotation({0, 0, 1}, angle);
    c.clip_poses.push_back(poseFromTurns(s, turns));
  }
  return c;
}

} // namespace skincells::test
