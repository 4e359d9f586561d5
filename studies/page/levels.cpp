#include <algorithm>
#include <cmath>
#include <map>

#include "base/try.h"
#include "mesh/ray_query.h"
#include "skincells/apply.h"
#include "skincells/io/character_file.h"
#include "skincells/io/field_file.h"
#include "skincells/transfer.h"
#include "studies/page/cases.h"
#include "studies/page/tables.h"
#include "weights/interpolate.h"
#include "weights/rows_edit.h"

namespace skincells::studies {
namespace {

// The character with every triangle cut into four: finer than any that the generator made.
Character subdivided(const Character& c) {
  Character out = c;
  out.weights = {};
  Mesh& mesh = out.mesh;
  std::map<std::array<std::uint32_t, 2>, std::uint32_t> middle;
  const auto between = [&](std::uint32_t a, std::uint32_t b) {
    const auto [place, is_new] = middle.emplace(std::array{std::min(a, b), std::max(a, b)}, mesh.vertexCount());
    if (is_new) mesh.positions.push_back((mesh.positions[a] + mesh.positions[b]) * 0.5F);
    return place->second;
  };
  std::vector<Triangle> triangles;
  for (const auto& [a, b, d] : c.mesh.triangles) {
    const std::uint32_t ab = between(a, b), bd = between(b, d), da = between(d, a);
    for (const Triangle& t : {Triangle{a, ab, da}, {ab, b, bd}, {da, bd, d}, {ab, bd, da}}) triangles.push_back(t);
  }
  mesh.triangles = std::move(triangles);
  mesh.sections.clear();
  return out;
}

struct Level {
  std::string name;
  Case c; // with the reference, interpolated on the finest level that has one
};

Level levelOf(std::string name, Character character, const Case& finest) {
  const mesh::RayQuery surface(finest.character.mesh);
  std::vector<mesh::RayQuery::Hit> places;
  for (const Vec3f& p : character.mesh.positions) places.push_back(*surface.closestPoint(toDouble(p)));
  SparseWeights reference = weights::interpolateRows(finest.character.mesh, finest.reference, places, kMaxInfluences);
  // The reference lists fewer joints: a skin has only those that deform.
  std::vector<int> joint_of;
  for (const Joint& j : finest.character.skeleton.joints) joint_of.push_back(character.skeleton.find(j.name));
  weights::remapJoints(reference, joint_of);
  std::vector<Pose> poses =
      randomPoses(character.skeleton, {.count = static_cast<int>(finest.poses.size()), .seed = 1000});
  return {std::move(name), {finest.name, std::move(character), std::move(reference), std::move(poses), {}}};
}

} // namespace

Result<Finding> studyLevels(const Context& context) {
  SKINCELLS_TRY(finest, readCase(context.examples + "/bear_fine_reference.glb", context.quick ? 6 : 20));
  std::vector<Level> levels;
  for (const char* name : {"bear_lod2", "bear_lod1", "bear", "bear_fine"}) {
    if (context.quick && std::string(name) == "bear_fine") continue;
    SKINCELLS_TRY(file, CharacterFile::read(context.examples + "/" + name + ".glb"));
    levels.push_back(levelOf(name, file.character(), finest));
  }
  if (!context.quick) levels.push_back(levelOf("bear_fine, subdivided", subdivided(levels.back().c.character), finest));
  // The character is bound at one level; all others take its field, or its weights.
  constexpr std::size_t kBound = 1;
  SKINCELLS_TRY(bound, bind(levels[kBound].c.character));
  Warnings ignored;
  const FieldDocument field = describeField(levels[kBound].c.character, bound, ignored);
  Character source = levels[kBound].c.character;
  source.weights = bound.weights;
  Table table({"level", "vertices", "field of bear_lod1", "closest point", "robust transfer", "own bind",
               "table of weights, bytes"});
  std::vector<double> by_field, by_transfer, by_own;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const Case& c = levels[l].c;
    SKINCELLS_TRY(applied, applyField(field, c.character));
    SKINCELLS_TRY(closest, transferSkin(source, c.character, {.via = TransferMethod::Closest}));
    SKINCELLS_TRY(robust, transferSkin(source, c.character, {.via = TransferMethod::Robust}));
    SKINCELLS_TRY(own, bind(c.character));
    const std::vector<double> errors{errorOf(c, applied.weights), errorOf(c, closest.weights),
                                     errorOf(c, robust.weights), errorOf(c, own.weights)};
    if (l != kBound) {
      by_field.push_back(errors[0]);
      by_transfer.push_back(std::min(errors[1], errors[2]));
      by_own.push_back(errors[3]);
    }
    table.add({levels[l].name, std::to_string(c.character.mesh.vertexCount()), number(errors[0], 3),
               number(errors[1], 3), number(errors[2], 3), number(errors[3], 3),
               std::to_string(c.character.mesh.positions.size() * 12)});
  }
  const double field_mean = geometricMean(by_field), transfer_mean = geometricMean(by_transfer),
               own_mean = geometricMean(by_own);
  const std::size_t bytes = encodeField(field).size();
  Finding out;
  constexpr double kEqual = 1.02;
  const bool as_transfer = field_mean <= kEqual * transfer_mean, as_own = field_mean <= 1.1 * own_mean;
  out.holds = as_transfer && as_own ? Holds::Yes : as_transfer || as_own ? Holds::Partly : Holds::No;
  out.sentence = "One field of " + std::to_string(bytes) + " bytes is at " + number(field_mean, 3) +
                 " over the other levels, the better of two transfers at " + number(transfer_mean, 3) +
                 ", and a bind of each level at " + number(own_mean, 3) + ".";
  out.notes =
      "A bear is bound at the level bear_lod1. The rms distance to the generator's skin, interpolated on each level, "
      "in 20 random poses, % of the diagonal. A table has four influences, 12 bytes per vertex.";
  out.body = table.text();
  return out;
}

} // namespace skincells::studies
