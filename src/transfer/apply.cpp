#include "skincells/apply.h"

#include <algorithm>
#include <chrono>

#include "base/assert.h"
#include "base/try.h"
#include "field/evaluate.h"
#include "fit/field_normals.h"
#include "mesh/solve_weld.h"
#include "skincells/version.h"
#include "transfer/parts.h"
#include "transfer/skeletons.h"
#include "weights/rows_edit.h"

namespace skincells {
namespace {

// The welded mesh, as in `bind`, and its connected parts.
struct WeldedMesh {
  Weld weld;
  Mesh welded;
  Islands islands;

  explicit WeldedMesh(const Mesh& mesh)
      : weld(mesh::weldForSolve(mesh)), welded(mesh::solveMesh(mesh, weld)), islands(findIslands(welded)) {}
};

// The normals of the welded vertices: from the triangles, or the given ones of points without triangles.
std::vector<Vec3f> normalsOf(const FieldParameters& field, const WeldedMesh& mesh, const Alignment& alignment,
                             std::span<const Vec3f> given) {
  if (!mesh.welded.triangles.empty() || given.empty() || !field.layout.normals)
    return fit::normalsSeen(field, mesh.welded);
  std::vector<Vec3f> normals;
  for (std::uint32_t v : mesh.weld.first_vertex) {
    const Vec3d normal = normalized(alignment.field_from_mesh.applyLinear(toDouble(given[v])));
    normals.push_back(isFinite(normal) ? toFloat(normal) : Vec3f{});
  }
  return normals;
}

// Sets the rows of recognized rigid parts; returns how many parts were recognized.
int applyParts(std::span<const FieldPart> parts, const std::vector<FieldPart>& places, const Islands& islands,
               std::span<const int> new_joint, SparseWeights& weights) {
  std::vector<SparseWeights> rows(places.size());
  int found = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const int part = transfer::findPart(places[i], parts);
    if (part < 0 || !parts[part].rigid()) continue;
    const FieldPart& same = parts[part];
    rows[i] = SparseWeights(1, static_cast<int>(same.weights.size()));
    rows[i].weights = same.weights;
    rows[i].joints = same.joints;
    weights::remapJoints(rows[i], new_joint);
    canonicalize(rows[i], weights.slots);
    ++found;
  }
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    const SparseWeights& row = rows[islands.island_of_vertex[v]];
    if (!row.empty()) weights::copyRow(row, 0, weights, v);
  }
  return found;
}

// The vertices of each part of the mesh.
std::vector<std::vector<std::uint32_t>> membersOf(const Islands& islands) {
  std::vector<std::vector<std::uint32_t>> members(islands.count);
  for (std::uint32_t v = 0; v < islands.island_of_vertex.size(); ++v) members[islands.island_of_vertex[v]].push_back(v);
  return members;
}

// Adds the parts whose rows are not the field's but equal for all vertices to `parts`. Returns the number of other
// vertices whose rows are not the field's.
std::uint32_t findRigidParts(const WeldedMesh& mesh, const std::vector<FieldPart>& places, const SparseWeights& bound,
                             const SparseWeights& evaluated, std::span<const int> field_joint,
                             std::vector<FieldPart>& parts) {
  std::uint32_t unexplained = 0;
  const auto members = membersOf(mesh.islands);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto rowOf = [&](std::uint32_t v) { return mesh.weld.first_vertex[v]; };
    const auto off = std::ranges::count_if(members[i], [&](std::uint32_t v) {
      return !weights::equalRows(weights::rowOf(bound, rowOf(v)), weights::rowOf(evaluated, v));
    });
    if (off == 0) continue;
    const std::uint32_t first = rowOf(members[i][0]);
    const bool one_row = members[i].size() > 1 && // loose vertices are no parts
                         std::ranges::all_of(members[i], [&](std::uint32_t v) {
                           return weights::equalRows(weights::rowOf(bound, rowOf(v)), weights::rowOf(bound, first));
                         });
    if (!one_row) {
      unexplained += static_cast<std::uint32_t>(off);
      continue;
    }
    FieldPart& part = parts.emplace_back(places[i]);
    for (std::size_t k = 0; k < bound.weightRow(first).size() && bound.weightRow(first)[k] > 0; ++k) {
      part.weights.push_back(bound.weightRow(first)[k]);
      part.joints.push_back(static_cast<std::uint16_t>(field_joint[bound.jointRow(first)[k]]));
    }
  }
  return unexplained;
}

} // namespace

const OptionTable<ApplyOptions>& applyOptionTable() {
  static const OptionTable<ApplyOptions> table{
      options::integer("max-influences", &ApplyOptions::max_influences, 0, kMaxInfluences,
                       "most joints per vertex, at most the number in the field; 0: the number in the field"),
      options::choice<ApplyOptions, AlignChoice>("align", &ApplyOptions::align,
                                                 {{"auto", AlignChoice::Auto}, {"none", AlignChoice::None}},
                                                 "auto: detect from the joints if mesh and field have different units "
                                                 "or up-axes; none: they are in the same space"),
  };
  return table;
}

SparseWeights evaluateField(const FieldDocument& document, const FieldPoints& points, int max_influences) {
  SKINCELLS_ASSERT(max_influences >= 0 && max_influences <= document.field.max_influences);
  FieldParameters capped = document.field;
  if (max_influences > 0) capped.max_influences = max_influences;
  SparseWeights weights = field::evaluateHard(capped, points);
  canonicalize(weights, weights.slots);
  return weights;
}

FieldDocument describeField(const Character& character, const BindResult& result, Warnings& warnings) {
  SKINCELLS_ASSERT(result.field.has_value());
  FieldDocument document;
  document.field = *result.field;
  document.skeleton = character.skeleton;
  std::vector<int> field_joint(character.skeleton.joints.size(), -1);
  for (const JointDecision& decision : result.report.joints)
    if (decision.deforms) {
      field_joint[decision.joint] = static_cast<int>(document.joints.size());
      document.joints.push_back(decision.joint);
    }
  SKINCELLS_ASSERT(document.joints.size() == document.field.layout.joints());
  document.box = character.mesh.bounds();
  document.provenance.tool = std::string("skincells ") + SKINCELLS_VERSION;

  const WeldedMesh mesh(character.mesh);
  const auto places = transfer::placesOfParts(mesh.welded.positions, mesh.islands);
  SparseWeights evaluated =
      evaluateField(document, {mesh.welded.positions, fit::normalsSeen(document.field, mesh.welded)});
  transfer::renameJoints(evaluated, document.joints);
  const std::uint32_t unexplained =
      findRigidParts(mesh, places, result.weights, evaluated, field_joint, document.parts);
  if (unexplained > 0)
    warnings.push_back({"field.incomplete",
                        std::to_string(unexplained) +
                            " vertices have weights that neither the field nor a rigid part gives; applying the "
                            "field to this mesh will not give the same weights",
                        character.name});
  // List parts that follow the field but resemble a rigid part, so that the two can be distinguished.
  const std::size_t rigid_count = document.parts.size();
  for (const FieldPart& place : places) {
    const int part = transfer::findPart(place, std::span(document.parts).first(rigid_count));
    if (part < 0) continue;
    const FieldPart& found = document.parts[part];
    const bool itself = found.box.lo == place.box.lo && found.box.hi == place.box.hi && found.center == place.center &&
                        found.vertex_count == place.vertex_count;
    if (!itself) document.parts.push_back(place);
  }
  return document;
}

Result<ApplyResult> applyField(const FieldDocument& document, const Character& character, const ApplyOptions& options,
                               std::span<const Vec3f> normals) {
  SKINCELLS_ASSERT(normals.empty() || normals.size() == character.mesh.positions.size());
  const auto start = std::chrono::steady_clock::now();
  SKINCELLS_CHECK(options::validate(applyOptionTable(), options));
  if (options.max_influences > document.field.max_influences)
    return Error{ErrorCode::InvalidOption,
                 "the field was made for at most " + std::to_string(document.field.max_influences) +
                     " joints per vertex; use at most that many, or bind again with more",
                 "--max-influences"};
  if (character.mesh.positions.empty()) return Error{ErrorCode::NoMesh, "the mesh has no vertices", character.name};
  SKINCELLS_TRY(match, transfer::matchJoints(document.skeleton, document.joints, character.skeleton, character.name));
  SKINCELLS_TRY(alignment, transfer::alignSkeletons(document.skeleton, document.joints, character.skeleton, match,
                                                    options.align, character.name));

  ApplyResult result;
  result.alignment = alignment;
  WeldedMesh mesh(character.mesh);
  transfer::moveInto(alignment, mesh.welded.positions);
  SparseWeights welded = evaluateField(
      document, {mesh.welded.positions, normalsOf(document.field, mesh, alignment, normals)}, options.max_influences);
  result.max_influences = welded.slots;
  transfer::renameJoints(welded, match);
  result.rigid_part_count = applyParts(document.parts, transfer::placesOfParts(mesh.welded.positions, mesh.islands),
                                       mesh.islands, match, welded);
  result.weights = gatherRows(welded, mesh.weld.welded_of_vertex);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

} // namespace skincells
