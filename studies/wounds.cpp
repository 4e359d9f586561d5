#include "studies/wounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "studies/dirt.h"

namespace skincells::studies {
namespace {

using Map = std::vector<std::uint32_t>;

// For damage that leaves every vertex a place in the list.
Map sameVertices(std::size_t count) {
  Map map(count);
  std::iota(map.begin(), map.end(), 0U);
  return map;
}

template <class F> Map eachPosition(Character& c, const F& f) {
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) f(v, c.mesh.positions[v]);
  return sameVertices(c.mesh.positions.size());
}

// Moves the places of joints; their axes stay.
template <class F> Map eachJoint(Character& c, const F& f) {
  for (std::size_t j = 0; j < c.skeleton.joints.size(); ++j)
    for (Affine* a : {&c.skeleton.joints[j].bind, &c.skeleton.joints[j].rest}) {
      const Vec3d p = f(j, a->translation());
      a->m[0][3] = p.x;
      a->m[1][3] = p.y;
      a->m[2][3] = p.z;
    }
  return sameVertices(c.mesh.positions.size());
}

Map scaled(Character& c, double x, double y, double z) {
  eachJoint(c, [&](std::size_t, const Vec3d& p) { return Vec3d{p.x * x, p.y * y, p.z * z}; });
  return eachPosition(c, [&](std::size_t, Vec3f& p) {
    p = toFloat(Vec3d{double{p.x} * x, double{p.y} * y, double{p.z} * z});
  });
}

Map holes(Character& c) {
  std::vector<Triangle> kept;
  for (std::size_t t = 0; t < c.mesh.triangles.size(); ++t)
    if (t % 10 != 3) kept.push_back(c.mesh.triangles[t]);
  c.mesh.triangles = std::move(kept);
  mergeSections(c);
  return sameVertices(c.mesh.positions.size());
}

Map fins(Character& c) {
  const Map map = sameVertices(c.mesh.positions.size());
  const double size = 0.05 * c.mesh.bounds().diagonal();
  Random random(21, 0);
  const std::vector<Triangle> once = c.mesh.triangles;
  for (std::size_t t = 0; t < once.size(); t += 17) {
    c.mesh.positions.push_back(toFloat(toDouble(c.mesh.positions[once[t][0]]) + random.direction() * size));
    c.mesh.triangles.push_back({once[t][0], once[t][1], c.mesh.vertexCount() - 1});
  }
  mergeSections(c);
  return map;
}

Map crossing(Character& c) {
  const Vec3d center = c.mesh.bounds().center();
  return eachPosition(c, [&](std::size_t v, Vec3f& p) {
    if (v % 13 == 5) p = toFloat(center + (toDouble(p) - center) * -0.6);
  });
}

Map mixedWinding(Character& c) {
  for (std::size_t t = 0; t < c.mesh.triangles.size(); t += 2)
    std::swap(c.mesh.triangles[t][1], c.mesh.triangles[t][2]);
  return sameVertices(c.mesh.positions.size());
}

Map shards(Character& c) {
  Mesh out;
  for (const Triangle& t : c.mesh.triangles) {
    const auto at = [&](std::uint32_t v) { return toDouble(c.mesh.positions[v]); };
    const Vec3d middle = (at(t[0]) + at(t[1]) + at(t[2])) * (1.0 / 3);
    const std::uint32_t first = out.vertexCount();
    for (std::uint32_t v : t) out.positions.push_back(toFloat(middle + (at(v) - middle) * 0.7));
    out.triangles.push_back({first, first + 1, first + 2});
  }
  if (out.positions.empty()) return sameVertices(c.mesh.positions.size());
  out.sections = std::move(c.mesh.sections);
  c.mesh = std::move(out);
  mergeSections(c);
  return {};
}

Map bridges(Character& c) {
  const double middle = c.mesh.bounds().center().x;
  const std::vector<Vec3f>& p = c.mesh.positions;
  const std::vector<Triangle> once = c.mesh.triangles;
  for (std::size_t t = 0; t < once.size(); t += 31) {
    const std::uint32_t a = once[t][0];
    std::uint32_t nearest = a;
    double distance = std::numeric_limits<double>::infinity();
    for (std::uint32_t b = 0; b < p.size(); b += 3) {
      const double d = length(toDouble(p[a]) - toDouble(p[b]));
      if ((double{p[a].x} < middle) == (double{p[b].x} < middle) || !(d < distance)) continue;
      nearest = b;
      distance = d;
    }
    c.mesh.triangles.push_back({a, once[t][1], nearest});
  }
  mergeSections(c);
  return sameVertices(p.size());
}

Map crumbs(Character& c) {
  const Map map = sameVertices(c.mesh.positions.size());
  const Box box = c.mesh.bounds();
  const double size = 0.004 * box.diagonal();
  Random random(22, 0);
  for (int i = 0; i < 2000; ++i) {
    const Vec3d p = box.lo + Vec3d{random.uniform(0, 1) * box.size().x, random.uniform(0, 1) * box.size().y,
                                   random.uniform(0, 1) * box.size().z};
    const std::uint32_t first = c.mesh.vertexCount();
    for (int k = 0; k < 3; ++k) c.mesh.positions.push_back(toFloat(p + random.direction() * size));
    c.mesh.triangles.push_back({first, first + 1, first + 2});
  }
  mergeSections(c);
  return map;
}

Map lining(Character& c) {
  const Map map = sameVertices(c.mesh.positions.size());
  const double gap = 1e-3 * c.mesh.bounds().diagonal();
  const std::uint32_t first = c.mesh.vertexCount();
  const std::vector<Triangle> once = c.mesh.triangles;
  for (std::uint32_t v = 0; v < first; ++v)
    c.mesh.positions.push_back(toFloat(toDouble(c.mesh.positions[v]) + Vec3d{gap, gap, -gap}));
  for (const Triangle& t : once) c.mesh.triangles.push_back({first + t[0], first + t[2], first + t[1]});
  mergeSections(c);
  return map;
}

Map noTriangles(Character& c) {
  c.mesh.triangles.clear();
  mergeSections(c);
  return sameVertices(c.mesh.positions.size());
}

Map onePlace(Character& c) {
  const Vec3f p = c.mesh.positions.front();
  return eachPosition(c, [&](std::size_t, Vec3f& q) { q = p; });
}

Map flat(Character& c) {
  return eachPosition(c, [](std::size_t, Vec3f& p) { p.z = 0; });
}

Map mixedScales(Character& c) {
  const std::size_t quarter = c.mesh.positions.size() / 4;
  return eachPosition(c, [&](std::size_t v, Vec3f& p) {
    if (v < quarter) p = toFloat(toDouble(p) * 50.0);
  });
}

Map jointsAside(Character& c) {
  const double far = 2 * c.mesh.bounds().diagonal();
  return eachJoint(c, [&](std::size_t j, const Vec3d& p) { return j % 2 == 0 ? p : p + Vec3d{far, 0, 0}; });
}

Map otherUnits(Character& c) {
  return eachJoint(c, [](std::size_t, const Vec3d& p) { return p * 100.0; });
}

Map jointsInOnePlace(Character& c) {
  const Vec3d center = c.mesh.bounds().center();
  return eachJoint(c, [&](std::size_t, const Vec3d&) { return center; });
}

Map oneJoint(Character& c) {
  c.skeleton.joints.resize(1);
  c.skeleton.joints[0].parent = kNoParent;
  return sameVertices(c.mesh.positions.size());
}

Map equalNames(Character& c) {
  for (Joint& j : c.skeleton.joints) j.name = "bone";
  return sameVertices(c.mesh.positions.size());
}

Map manyJoints(Character& c) {
  const Box box = c.mesh.bounds();
  Random random(23, 0);
  for (int i = 0; i < 1000; ++i) {
    Joint j;
    j.name = "extra" + std::to_string(i);
    j.parent = static_cast<int>(random.below(static_cast<std::uint32_t>(c.skeleton.joints.size())));
    const Vec3d p = box.lo + Vec3d{random.uniform(0, 1) * box.size().x, random.uniform(0, 1) * box.size().y,
                                   random.uniform(0, 1) * box.size().z};
    j.bind = j.rest = Affine::fromTranslation(p);
    c.skeleton.joints.push_back(j);
  }
  return sameVertices(c.mesh.positions.size());
}

// A copy with a skeleton of its own, half inside the first one.
Map twins(Character& c) {
  const Map map = sameVertices(c.mesh.positions.size());
  const Vec3d by{0.5 * c.mesh.bounds().size().x, 0, 0};
  const std::uint32_t vertices = c.mesh.vertexCount();
  const auto triangles = static_cast<std::uint32_t>(c.mesh.triangles.size());
  const int joints = c.skeleton.jointCount();
  mergeSections(c);
  c.mesh.sections[0].skeleton = 0;
  for (std::uint32_t v = 0; v < vertices; ++v) c.mesh.positions.push_back(toFloat(toDouble(c.mesh.positions[v]) + by));
  for (std::uint32_t t = 0; t < triangles; ++t) {
    const Triangle old = c.mesh.triangles[t];
    c.mesh.triangles.push_back({old[0] + vertices, old[1] + vertices, old[2] + vertices});
  }
  MeshSection copy = c.mesh.sections[0];
  copy.skeleton = 1;
  copy.first_vertex = vertices;
  copy.first_triangle = triangles;
  c.mesh.sections.push_back(copy);
  for (int j = 0; j < joints; ++j) {
    Joint joint = c.skeleton.joints[static_cast<std::size_t>(j)];
    joint.name += "_twin";
    joint.skeleton = 1;
    if (joint.parent >= 0) joint.parent += joints;
    for (Affine* a : {&joint.bind, &joint.rest}) *a = Affine::fromTranslation(by) * *a;
    c.skeleton.joints.push_back(joint);
  }
  return map;
}

void withoutMatrices(Scene& scene) {
  if (scene.skins.empty()) {
    SceneSkin skin;
    for (std::size_t n = 0; n < scene.nodes.size(); ++n)
      if (scene.nodes[n].mesh < 0) skin.joints.push_back(static_cast<int>(n));
    scene.skins.push_back(skin);
    for (SceneMesh& mesh : scene.meshes)
      for (ScenePrimitive& p : mesh.primitives) {
        p.weights = SparseWeights(p.positions.size(), 1);
        std::ranges::fill(p.weights.weights, 1.0F);
      }
    for (SceneNode& node : scene.nodes)
      if (node.mesh >= 0) node.skin = 0;
  }
  for (SceneSkin& skin : scene.skins) skin.inverse_bind_matrices.clear();
}

void withoutMatricesMoved(Scene& scene) {
  withoutMatrices(scene);
  for (SceneNode& node : scene.nodes)
    if (node.mesh >= 0) node.translation = {0, 0.5, 0}, node.scale = {2, 2, 2};
}

void mirroredNode(Scene& scene) {
  for (SceneNode& node : scene.nodes)
    if (node.mesh >= 0) node.scale = {-1, 1, 1};
}

void nodeWithoutSize(Scene& scene) {
  for (SceneNode& node : scene.nodes)
    if (node.mesh < 0 && node.parent >= 0) node.scale = {0, 0, 0};
}

void notANumber(Scene& scene) {
  scene.meshes.front().primitives.front().positions.front().y = std::numeric_limits<float>::quiet_NaN();
}

void replaceText(std::vector<std::uint8_t>& glb, std::string_view from, std::string_view to) {
  const auto found = std::search(glb.begin(), glb.end(), from.begin(), from.end());
  if (found != glb.end() && from.size() == to.size()) std::ranges::copy(to, found);
}

void truncated(std::vector<std::uint8_t>& glb) {
  glb.resize(glb.size() * 2 / 3);
}

void brokenJson(std::vector<std::uint8_t>& glb) {
  replaceText(glb, "\"accessors\"", "\"accessors}");
}

void wrongType(std::vector<std::uint8_t>& glb) {
  replaceText(glb, "\"VEC3\"", "\"MAT4\"");
}

// In the second half, where the numbers are.
void wildBytes(std::vector<std::uint8_t>& glb) {
  Random random(24, 0);
  const auto half = static_cast<std::uint32_t>(glb.size() / 2);
  for (int i = 0; i < 40; ++i) glb[half + random.below(half)] = static_cast<std::uint8_t>(random.nextBits());
}

// The last bytes of the file, where indices are.
void wildEnd(std::vector<std::uint8_t>& glb) {
  std::fill(glb.end() - std::min<std::ptrdiff_t>(64, static_cast<std::ptrdiff_t>(glb.size())), glb.end(),
            std::uint8_t{0xFF});
}

} // namespace

const std::vector<Dirt>& wounds() {
  static const std::vector<Dirt> all{
      {"a tenth of the triangles missing", holes},
      {"fins on edges", fins},
      {"a surface through itself", crossing},
      {"every second triangle reversed", mixedWinding},
      {"every triangle a shard", shards},
      {"limbs fused by bridges", bridges},
      {"2000 crumbs around", crumbs},
      {"a lining close to the surface", lining},
      {"no triangles", noTriangles},
      {"all vertices in one place", onePlace},
      {"pressed flat", flat},
      {"a quarter of the vertices 50 times as large", mixedScales},
      {"a millionth of the size", [](Character& c) { return scaled(c, 1e-6, 1e-6, 1e-6); }},
      {"a million times as large", [](Character& c) { return scaled(c, 1e6, 1e6, 1e6); }},
      {"thin as a thread", [](Character& c) { return scaled(c, 1e-5, 1, 1e-5); }},
      {"every second joint aside", jointsAside},
      {"the skeleton in another unit", otherUnits},
      {"all joints in one place", jointsInOnePlace},
      {"one joint", oneJoint},
      {"joints of one name", equalNames},
      {"1000 joints more", manyJoints},
      {"two characters", twins},
  };
  return all;
}

Scene sceneOf(const Character& c) {
  Scene scene;
  scene.generator = "skincells-torture";
  for (const Joint& joint : c.skeleton.joints) {
    SceneNode node;
    node.name = joint.name;
    node.parent = joint.parent;
    const Affine at = Affine::fromTranslation(joint.bind.translation());
    const Affine above = joint.parent < 0 ? Affine{} : Affine::fromTranslation(c.skeleton.bindPosition(joint.parent));
    node.translation = at.translation() - above.translation();
    scene.nodes.push_back(std::move(node));
  }
  const bool several = std::ranges::any_of(c.mesh.sections, [](const MeshSection& s) { return s.skeleton > 0; });
  for (int s = 0; several && s < 2; ++s) {
    SceneSkin skin;
    for (int j = 0; j < c.skeleton.jointCount(); ++j) {
      if (c.skeleton.joints[static_cast<std::size_t>(j)].skeleton != s) continue;
      skin.joints.push_back(j);
      skin.inverse_bind_matrices.push_back(Affine::fromTranslation(c.skeleton.bindPosition(j) * -1.0));
    }
    scene.skins.push_back(std::move(skin));
  }
  for (const MeshSection& s : c.mesh.sections) {
    ScenePrimitive p;
    p.positions.assign(c.mesh.positions.begin() + s.first_vertex,
                       c.mesh.positions.begin() + s.first_vertex + s.vertex_count);
    for (std::uint32_t t = 0; t < s.triangle_count; ++t) {
      Triangle corners = c.mesh.triangles[s.first_triangle + t];
      for (std::uint32_t& v : corners) v -= s.first_vertex;
      p.triangles.push_back(corners);
    }
    SceneNode node;
    node.name = s.name;
    node.mesh = static_cast<int>(scene.meshes.size());
    if (several) {
      node.skin = s.skeleton;
      p.weights = SparseWeights(p.positions.size(), 1);
      std::ranges::fill(p.weights.weights, 1.0F);
    }
    scene.nodes.push_back(std::move(node));
    scene.meshes.push_back({s.name, {std::move(p)}});
  }
  return scene;
}

const std::vector<FileDamage>& fileDamages() {
  static const std::vector<FileDamage> all{
      {"a skin without matrices", withoutMatrices, nullptr},
      {"a skin without matrices on a moved node", withoutMatricesMoved, nullptr},
      {"a mirrored node", mirroredNode, nullptr},
      {"joints scaled to nothing", nodeWithoutSize, nullptr},
      {"a position that is no number", notANumber, nullptr},
      {"a third of the file missing", nullptr, truncated},
      {"broken JSON", nullptr, brokenJson},
      {"positions of another type", nullptr, wrongType},
      {"40 wild bytes", nullptr, wildBytes},
      {"wild bytes at the end", nullptr, wildEnd},
  };
  return all;
}

} // namespace skincells::studies
