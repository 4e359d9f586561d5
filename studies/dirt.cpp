#include "studies/dirt.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace skincells::studies {

void mergeSections(Character& c) {
  MeshSection all;
  if (!c.mesh.sections.empty()) all = c.mesh.sections.front();
  all.first_vertex = all.first_triangle = 0;
  all.vertex_count = c.mesh.vertexCount();
  all.triangle_count = static_cast<std::uint32_t>(c.mesh.triangles.size());
  c.mesh.sections = {all};
  c.weights = {};
}

namespace {

using Map = std::vector<std::uint32_t>;

Map unchanged(const Character& c) {
  Map map(c.mesh.positions.size());
  std::iota(map.begin(), map.end(), 0U);
  return map;
}

std::uint32_t addVertex(Character& c, const Vec3d& p) {
  c.mesh.positions.push_back(toFloat(p));
  return c.mesh.vertexCount() - 1;
}

Map strays(Character& c) {
  const Map map = unchanged(c);
  const Box box = c.mesh.bounds();
  for (double x : {10.0, -10.0, 3.0}) addVertex(c, box.center() + box.size() * x);
  mergeSections(c);
  return map;
}

Map groundPlane(Character& c) {
  const Map map = unchanged(c);
  const Box box = c.mesh.bounds();
  const double r = 5 * box.diagonal();
  constexpr int kSide = 8;
  const std::uint32_t first = c.mesh.vertexCount();
  for (int i = 0; i <= kSide; ++i)
    for (int k = 0; k <= kSide; ++k)
      addVertex(c, {box.center().x + r * (2.0 * i / kSide - 1), box.lo.y - 0.003 * box.size().y,
                    box.center().z + r * (2.0 * k / kSide - 1)});
  for (std::uint32_t i = 0; i < kSide; ++i)
    for (std::uint32_t k = 0; k < kSide; ++k) {
      const std::uint32_t a = first + i * (kSide + 1) + k, b = a + kSide + 1;
      c.mesh.triangles.push_back({a, a + 1, b});
      c.mesh.triangles.push_back({a + 1, b + 1, b});
    }
  mergeSections(c);
  return map;
}

Map unwelded(Character& c) {
  Map map(c.mesh.positions.size(), 0);
  std::vector<bool> seen(map.size());
  Mesh out;
  for (const Triangle& t : c.mesh.triangles) {
    const std::uint32_t first = out.vertexCount();
    for (std::uint32_t v : t) {
      if (!seen[v]) map[v] = out.vertexCount();
      seen[v] = true;
      out.positions.push_back(c.mesh.positions[v]);
    }
    out.triangles.push_back({first, first + 1, first + 2});
  }
  for (std::uint32_t v = 0; v < map.size(); ++v) {
    if (seen[v]) continue;
    map[v] = out.vertexCount();
    out.positions.push_back(c.mesh.positions[v]);
  }
  out.sections = std::move(c.mesh.sections);
  c.mesh = std::move(out);
  mergeSections(c);
  return map;
}

void addNoise(Character& c, double amount) {
  const double size = amount * c.mesh.bounds().diagonal();
  Random random(1, 0);
  for (Vec3f& p : c.mesh.positions)
    for (float* x : {&p.x, &p.y, &p.z}) *x = static_cast<float>(static_cast<double>(*x) + size * random.uniform(-1, 1));
}

Map noisySoup(Character& c) {
  Map map = unwelded(c);
  addNoise(c, 1e-5);
  return map;
}

Map lastBits(Character& c) {
  Random random(2, 0);
  for (Vec3f& p : c.mesh.positions)
    for (float* x : {&p.x, &p.y, &p.z}) *x = std::nextafter(*x, random.below(2) == 0 ? -INFINITY : INFINITY);
  return unchanged(c);
}

Map shuffled(std::size_t count) {
  Map order(count);
  std::iota(order.begin(), order.end(), 0U);
  Random random(3, 0);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  return order;
}

Map vertexOrder(Character& c) {
  Map place = shuffled(c.mesh.positions.size());
  const std::vector<Vec3f> old = c.mesh.positions;
  for (std::size_t v = 0; v < old.size(); ++v) c.mesh.positions[place[v]] = old[v];
  for (Triangle& t : c.mesh.triangles)
    for (std::uint32_t& v : t) v = place[v];
  mergeSections(c);
  return place;
}

Map triangleOrder(Character& c) {
  const Map order = shuffled(c.mesh.triangles.size());
  const std::vector<Triangle> old = c.mesh.triangles;
  for (std::size_t t = 0; t < old.size(); ++t) c.mesh.triangles[order[t]] = old[t];
  mergeSections(c);
  return unchanged(c);
}

Map reversed(Character& c) {
  for (Triangle& t : c.mesh.triangles) std::swap(t[1], t[2]);
  return unchanged(c);
}

Map specks(Character& c) {
  Map map = unchanged(c);
  const double size = 1e-4 * c.mesh.bounds().diagonal();
  Random random(4, 0);
  const auto count = static_cast<std::uint32_t>(map.size());
  for (int i = 0; i < 60; ++i) {
    const Vec3d p = toDouble(c.mesh.positions[random.below(count)]) + random.direction() * (5 * size);
    const std::uint32_t a = addVertex(c, p), b = addVertex(c, p + random.direction() * size);
    c.mesh.triangles.push_back({a, b, addVertex(c, p + random.direction() * size)});
  }
  mergeSections(c);
  return map;
}

Map doubledShell(Character& c) {
  const std::vector<Triangle> once = c.mesh.triangles;
  c.mesh.triangles.insert(c.mesh.triangles.end(), once.begin(), once.end());
  mergeSections(c);
  return unchanged(c);
}

Map emptyTriangles(Character& c) {
  const std::vector<Triangle> once = c.mesh.triangles;
  for (std::size_t t = 0; t < once.size(); t += 7) c.mesh.triangles.push_back({once[t][0], once[t][1], once[t][1]});
  mergeSections(c);
  return unchanged(c);
}

// Only the node tree says where such a joint is: exporters leave its bind matrix at the origin, wherever the character
// is.
bool isPlaceholder(const Joint& j, double size) {
  constexpr double kFar = 0.02;
  return j.bind.translation() == Vec3d{} && length(j.rest.translation()) > kFar * size;
}

// Moves and scales the whole character.
void move(Character& c, double scale, const Vec3d& by) {
  const double size = c.mesh.bounds().diagonal();
  for (Vec3f& p : c.mesh.positions) p = toFloat(toDouble(p) * scale + by);
  for (Joint& j : c.skeleton.joints) {
    const bool bind_stays = isPlaceholder(j, size);
    if (j.tip) j.tip = *j.tip * scale;
    for (Affine* a : {&j.bind, &j.rest}) {
      if (bind_stays && a == &j.bind) continue;
      const Vec3d at = a->translation() * scale + by;
      a->m[0][3] = at.x;
      a->m[1][3] = at.y;
      a->m[2][3] = at.z;
    }
  }
  c.clip_poses.clear();
}

Map millimeters(Character& c) {
  move(c, 1000, {});
  return unchanged(c);
}

Map farAway(Character& c) {
  move(c, 1, Vec3d{1, 0.5, -1} * (5 * c.mesh.bounds().diagonal()));
  return unchanged(c);
}

Map torn(Character& c) {
  const Box box = c.mesh.bounds();
  if (!c.mesh.positions.empty())
    c.mesh.positions[c.mesh.positions.size() / 3] = toFloat(box.center() + box.size() * 20.0);
  return unchanged(c);
}

} // namespace

const std::vector<Dirt>& dirts() {
  static const std::vector<Dirt> all{
      {"three loose vertices at ten sizes", strays},  {"a ground plane ten sizes wide", groundPlane},
      {"one vertex torn away by twenty sizes", torn}, {"every corner its own vertex", unwelded},
      {"the same with noise of 1e-5", noisySoup},     {"last bit of every coordinate", lastBits},
      {"vertices in another order", vertexOrder},     {"triangles in another order", triangleOrder},
      {"all triangles reversed", reversed},           {"60 specks", specks},
      {"every triangle twice", doubledShell},         {"triangles without area", emptyTriangles},
      {"1000 times as large", millimeters},           {"7.5 sizes from the origin", farAway},
  };
  return all;
}

std::vector<std::uint32_t> applyBoth(const Dirt& first, const Dirt& second, Character& character) {
  std::vector<std::uint32_t> same = first.apply(character);
  const std::vector<std::uint32_t> then = second.apply(character);
  for (std::uint32_t& v : same) v = then[v];
  return same;
}

} // namespace skincells::studies
