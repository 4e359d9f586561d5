#include "support/morphs.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/random.h"
#include "skincells/metrics.h"
#include "support/shapes.h"

namespace skincells::test {
namespace {

using Changes = Morph::Changes;
using Indices = std::vector<std::uint32_t>;

Indices counted(std::size_t count) {
  Indices all(count);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

Morphed moved(Character c, const Affine& a) {
  for (Vec3f& p : c.mesh.positions) p = toFloat(a.apply(toDouble(p)));
  for (Joint& joint : c.skeleton.joints) {
    joint.bind = a * joint.bind;
    joint.rest = a * joint.rest;
  }
  Indices same = counted(c.mesh.positions.size());
  return {std::move(c), std::move(same)};
}

Morphed scaled(const Character& c, double s) {
  return moved(c, Affine::fromTrs({}, {0, 0, 0, 1}, {s, s, s}));
}

Morphed farAway(const Character& c) {
  return moved(c, Affine::fromTranslation(Vec3d{1, -0.5, 0.25} * (1000 * c.mesh.bounds().diagonal())));
}

Morphed turned(const Character& c) {
  return moved(c, Affine::rotation({1, 2, 3}, 1.1));
}

// Joints keep their axes, which must not be mirrored.
Morphed mirrored(const Character& original) {
  Character c = original;
  for (Vec3f& p : c.mesh.positions) p.x = -p.x;
  for (Triangle& t : c.mesh.triangles) std::swap(t[1], t[2]);
  for (Joint& joint : c.skeleton.joints)
    for (Affine* a : {&joint.bind, &joint.rest}) a->m[0][3] = -a->m[0][3];
  Indices same = counted(c.mesh.positions.size());
  return {std::move(c), std::move(same)};
}

// The vertices `kept` of a character, in this order.
Character withVertices(const Character& c, const Indices& kept) {
  Character out = c;
  out.mesh.positions.clear();
  for (std::uint32_t v : kept) out.mesh.positions.push_back(c.mesh.positions[v]);
  if (c.weights.vertexCount() > 0) out.weights = gatherRows(c.weights, kept);
  return out;
}

Indices shuffled(std::size_t count) {
  Indices order = counted(count);
  Random random(4);
  for (auto i = static_cast<std::uint32_t>(count); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

Morphed otherOrder(const Character& c) {
  const Indices from = shuffled(c.mesh.positions.size());
  Indices to(from.size());
  for (std::uint32_t v = 0; v < from.size(); ++v) to[from[v]] = v;
  Character out = withVertices(c, from);
  for (Triangle& t : out.mesh.triangles) t = {to[t[0]], to[t[1]], to[t[2]]};
  const Indices order = shuffled(out.mesh.triangles.size());
  const std::vector<Triangle> old = out.mesh.triangles;
  for (std::size_t t = 0; t < old.size(); ++t) out.mesh.triangles[t] = old[order[t]];
  return {std::move(out), std::move(to)};
}

Morphed repeatedCorners(const Character& c) {
  Indices from, place(c.mesh.positions.size());
  for (const Triangle& t : c.mesh.triangles)
    for (std::uint32_t v : t) {
      place[v] = static_cast<std::uint32_t>(from.size());
      from.push_back(v);
    }
  Character out = withVertices(c, from);
  for (std::uint32_t t = 0; t < out.mesh.triangles.size(); ++t) out.mesh.triangles[t] = {3 * t, 3 * t + 1, 3 * t + 2};
  return {std::move(out), std::move(place)};
}

// Both with all vertices: those of the other half are loose, or on the cut.
Morphed halves(const Character& c) {
  const std::uint32_t count = c.mesh.vertexCount();
  Indices from(2 * std::size_t{count});
  for (std::uint32_t v = 0; v < 2 * count; ++v) from[v] = v % count;
  Character out = withVertices(c, from);
  for (std::size_t t = out.mesh.triangles.size() / 2; t < out.mesh.triangles.size(); ++t)
    for (std::uint32_t& v : out.mesh.triangles[t]) v += count;
  Indices place(count); // on a triangle, if there is one
  for (const Triangle& t : out.mesh.triangles)
    for (std::uint32_t v : t) place[v % count] = v;
  return {std::move(out), std::move(place)};
}

// Every triangle becomes four.
Morphed subdivided(const Character& c) {
  Character out = c;
  out.mesh.triangles.clear();
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
  std::vector<Vec3f>& positions = out.mesh.positions;
  std::vector<Triangle> ends; // of each middle, in the first two numbers
  const auto middle = [&](std::uint32_t a, std::uint32_t b) {
    const auto [found, is_new] = middles.try_emplace(std::minmax(a, b), out.mesh.vertexCount());
    if (is_new) {
      positions.push_back(toFloat((toDouble(positions[a]) + toDouble(positions[b])) * 0.5));
      ends.push_back({a, b, 0});
    }
    return found->second;
  };
  for (const Triangle& t : c.mesh.triangles) {
    const std::uint32_t ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
    for (const Triangle& part :
         {Triangle{t[0], ab, ca}, Triangle{ab, t[1], bc}, Triangle{ca, bc, t[2]}, Triangle{ab, bc, ca}})
      out.mesh.triangles.push_back(part);
  }
  if (const std::size_t slots = static_cast<std::size_t>(c.weights.slots); c.weights.vertexCount() > 0) {
    SparseWeights rows(positions.size(), 2 * c.weights.slots);
    for (std::size_t v = 0; v < positions.size(); ++v) {
      const std::size_t count = c.mesh.positions.size();
      const Triangle both =
          v < count ? Triangle{static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v), 0} : ends[v - count];
      for (std::size_t k = 0; k < 2 * slots; ++k) {
        rows.jointRow(v)[k] = c.weights.jointRow(both[k / slots])[k % slots];
        rows.weightRow(v)[k] = c.weights.weightRow(both[k / slots])[k % slots] / 2;
      }
    }
    canonicalize(rows, rows.slots);
    out.weights = std::move(rows);
  }
  return {std::move(out), counted(c.mesh.positions.size())};
}

Morphed strays(const Character& c) {
  const Box box = c.mesh.bounds();
  Indices from = counted(c.mesh.positions.size());
  for (int i = 0; i < 3; ++i) from.push_back(0);
  Character out = withVertices(c, from);
  for (std::size_t i = 0; i < 3; ++i)
    out.mesh.positions[c.mesh.positions.size() + i] = toFloat(box.center() + box.size() * (i == 0   ? 10.0
                                                                                           : i == 1 ? -10.0
                                                                                                    : 3.0));
  return {std::move(out), counted(c.mesh.positions.size())};
}

} // namespace

const std::vector<Morph>& morphs() {
  static const std::vector<Morph> all{
      {"1000 times as small", [](const Character& c) { return scaled(c, 1e-3); }, Changes::Rounding},
      {"1000 times as large", [](const Character& c) { return scaled(c, 1e3); }, Changes::Rounding},
      {"1024 times as large", [](const Character& c) { return scaled(c, 1024); }, Changes::Nothing},
      {"1000 sizes away", farAway, Changes::Tessellation}, // positions keep four digits
      {"turned", turned, Changes::Rounding},
      {"mirrored", mirrored, Changes::Rounding},
      {"vertices and triangles in another order", otherOrder, Changes::Nothing},
      {"repeated corners", repeatedCorners, Changes::Nothing},
      {"two objects", halves, Changes::Nothing},
      {"subdivided", subdivided, Changes::Tessellation},
      {"loose vertices", strays, Changes::Nothing},
  };
  return all;
}

SparseWeights originalRows(const SparseWeights& weights, const Morphed& morphed) {
  return gatherRows(weights, morphed.vertex);
}

double posedApart(const Character& character, const SparseWeights& a, const SparseWeights& b) {
  const PoseSet poses{"random", randomPoses(character.skeleton, {.count = 8, .seed = 11})};
  return compareWeights(character.mesh, a, b, {poses}).sets[0].error.max;
}

} // namespace skincells::test
