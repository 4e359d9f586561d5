#include "skincells/transfer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "base/try.h"
#include "mesh/surface_measure.h"
#include "mesh/surface_points.h"
#include "metrics/fill_unweighted.h"
#include "transfer/inpaint.h"
#include "transfer/skeletons.h"
#include "transfer/transfer_field.h"
#include "weights/interpolate.h"

namespace skincells {
namespace {

using Points = std::vector<mesh::RayQuery::Hit>;

// The welded mesh of the source with one row per vertex.
struct Surface {
  Mesh mesh;
  SparseWeights rows;

  explicit Surface(const Character& source) {
    const Weld weld = weldByPosition(source.mesh.positions, weldTolerance(source.mesh));
    mesh = weldedMesh(source.mesh, weld);
    rows = gatherRows(source.weights, weld.first_vertex);
    metrics::fillUnweighted(mesh.positions, rows);
  }
};

std::vector<int> weightedJoints(const Character& source) {
  const WeightStatistics statistics = weightStatistics(source.weights, source.skeleton.jointCount());
  std::vector<int> joints;
  for (int j = 0; j < source.skeleton.jointCount(); ++j)
    if (statistics.mass_of_joint[j] > 0) joints.push_back(j);
  return joints;
}

Result<void> checkInput(const Character& source, const Character& target, const TransferOptions& options) {
  SKINCELLS_CHECK(options::validate(transferOptionTable(), options));
  if (source.weights.empty() || weightedJoints(source).empty())
    return Error{ErrorCode::Mismatch, "has no weights to transfer; the source must be a skinned character",
                 source.name};
  if (target.mesh.positions.empty()) return Error{ErrorCode::NoMesh, "the mesh has no vertices", target.name};
  return {};
}

constexpr double kTooFar = -2; // instead of a cosine

// For each target vertex the cosine between its normal and that of the source's surface at the closest point; kTooFar
// if it is farther away than max_distance.
std::vector<double> facings(const Mesh& source, const Mesh& target, const Points& points, double max_distance) {
  const auto source_measure = mesh::measureVertices(source), target_measure = mesh::measureVertices(target);
  std::vector<double> facing(target.positions.size(), kTooFar);
  for (std::size_t v = 0; v < facing.size(); ++v) {
    if (points[v].distance > max_distance) continue;
    const auto shares = mesh::cornerShares(source, points[v]);
    Vec3d normal;
    for (std::size_t i = 0; i < 3; ++i)
      normal += shares[i] * source_measure[source.triangles[points[v].triangle][i]].normal;
    const bool has_normal = length(target_measure[v].normal) > 0; // loose vertices have none
    facing[v] = !has_normal ? 1 : dot(normalized(normal), target_measure[v].normal);
  }
  return facing;
}

// Which target vertices are on the source's surface: near it, with a similar normal. A connected part without any such
// vertex is inside out, like the shells of drawn outlines; its vertices match if their normals are opposite.
std::vector<char> matchedVertices(const Mesh& source, const Mesh& target, const Points& points,
                                  const TransferOptions& options) {
  const double least_cosine = std::cos(options.max_angle * (std::numbers::pi / 180));
  const auto facing = facings(source, target, points, options.max_distance / 100 * source.bounds().diagonal());
  const Islands islands = findIslands(target);
  std::vector<char> has_match(islands.count, 0);
  for (std::size_t v = 0; v < facing.size(); ++v)
    if (facing[v] >= least_cosine) has_match[islands.island_of_vertex[v]] = 1;
  std::vector<char> matched(facing.size(), 0);
  for (std::size_t v = 0; v < facing.size(); ++v) {
    const bool inside_out = has_match[islands.island_of_vertex[v]] == 0;
    matched[v] = facing[v] > kTooFar && (inside_out ? -facing[v] : facing[v]) >= least_cosine ? 1 : 0;
  }
  return matched;
}

// Rows for the welded target in the source's space, over the source's joints.
SparseWeights transferOverSurface(const Surface& surface, const Mesh& target, const TransferOptions& options,
                                  TransferResult& result) {
  const Points points = mesh::closestPoints(surface.mesh, target.positions);
  double sum = 0;
  for (const auto& point : points) sum += point.distance;
  result.mean_distance_percent =
      100 * sum / static_cast<double>(points.size()) / std::max(surface.mesh.bounds().diagonal(), 1e-30);
  SparseWeights rows = weights::interpolateRows(surface.mesh, surface.rows, points, result.max_influences);
  result.matched_vertices = target.vertexCount();
  if (options.via == TransferMethod::Closest) return rows;

  const std::vector<char> matched = matchedVertices(surface.mesh, target, points, options);
  SparseWeights filled = rows;
  const transfer::Inpainted inpainted = transfer::inpaintRows(target, matched, filled);
  result.inpainted_vertices = inpainted.filled;
  result.unmatched_vertices = static_cast<std::uint32_t>(inpainted.unreachable.size());
  result.matched_vertices -= result.inpainted_vertices + result.unmatched_vertices;
  if (result.unmatched_vertices > 0)
    result.warnings.push_back(
        {"transfer.unmatched_parts",
         std::to_string(result.unmatched_vertices) +
             " vertices belong to parts that match the source's surface nowhere; they take the weights of its "
             "closest points",
         ""});
  return filled;
}

} // namespace

const OptionTable<TransferOptions>& transferOptionTable() {
  static const OptionTable<TransferOptions> table{
      options::choice<TransferOptions, TransferMethod>(
          "via", &TransferOptions::via,
          {{"field", TransferMethod::Field}, {"closest", TransferMethod::Closest}, {"robust", TransferMethod::Robust}},
          "field: fit a field to the weights and evaluate it; closest: copy from the closest point of the surface; "
          "robust: the same where distance and normal agree, and a smooth continuation elsewhere"),
      options::integer("max-influences", &TransferOptions::max_influences, 0, kMaxInfluences,
                       "most joints per vertex; 0: as many as in the source"),
      options::choice<TransferOptions, AlignChoice>("align", &TransferOptions::align,
                                                    {{"auto", AlignChoice::Auto}, {"none", AlignChoice::None}},
                                                    "auto: detect from the joints if source and target have different "
                                                    "units or up-axes; none: they are in the same space"),
      options::integer("sites", &TransferOptions::sites, 1, 16, "with --via field: sites per cell"),
      options::integer("field-steps", &TransferOptions::fit_steps, 1, 5000, "with --via field: steps of the fit"),
      options::toggle("normals", &TransferOptions::normals,
                      "with --via field: the field sees which way the surface faces"),
      options::real("max-distance", &TransferOptions::max_distance, 0.0, 100.0,
                    "with --via robust: largest distance of a vertex to the source's surface, in % of its diagonal"),
      options::real("max-angle", &TransferOptions::max_angle, 0.0, 180.0,
                    "with --via robust: largest angle between the normals, in degrees"),
  };
  return table;
}

Result<TransferResult> transferSkin(const Character& source, const Character& target, const TransferOptions& options,
                                    const ProgressFunction& progress) {
  const auto start = std::chrono::steady_clock::now();
  SKINCELLS_CHECK(checkInput(source, target, options));
  const std::vector<int> weighted = weightedJoints(source);
  SKINCELLS_TRY(match, transfer::matchJoints(source.skeleton, weighted, target.skeleton, target.name));
  TransferResult result;
  const int in_source = weightStatistics(source.weights, source.skeleton.jointCount()).max_influences;
  result.max_influences =
      options.max_influences > 0 ? options.max_influences : std::clamp(in_source, 1, kMaxInfluences);

  if (options.via == TransferMethod::Field) {
    SKINCELLS_TRY(fitted, transfer::fitField(source, weighted, result.max_influences, options, progress));
    SKINCELLS_TRY(applied, applyField(fitted.document, target, {.align = options.align}));
    result.weights = std::move(applied.weights);
    result.alignment = applied.alignment;
    result.fit = std::move(fitted.fit);
    result.field = std::move(fitted.document);
    result.matched_vertices = target.mesh.vertexCount();
  } else {
    SKINCELLS_TRY(alignment, transfer::alignSkeletons(source.skeleton, weighted, target.skeleton, match, options.align,
                                                      target.name));
    result.alignment = alignment;
    const Weld weld = weldByPosition(target.mesh.positions, weldTolerance(target.mesh));
    Mesh welded = weldedMesh(target.mesh, weld);
    transfer::moveInto(alignment, welded.positions);
    const Surface surface(source);
    if (surface.mesh.triangles.empty()) // also if all of them are a point or a line once their corners are welded
      return Error{ErrorCode::NoMesh,
                   "has no triangles with three corners, so there are no closest points; use --via field", source.name};
    SparseWeights rows = transferOverSurface(surface, welded, options, result);
    std::vector<int> new_joint(source.skeleton.joints.size(), 0);
    for (std::size_t f = 0; f < weighted.size(); ++f) new_joint[weighted[f]] = match[f];
    transfer::renameJoints(rows, new_joint);
    metrics::fillUnweighted(welded.positions, rows);
    result.weights = gatherRows(rows, weld.welded_of_vertex);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

} // namespace skincells
