#include "transfer/transfer_field.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Eigenvalues>

#include "bind/subjects.h"
#include "field/initialize.h"
#include "fit/field_fit.h"
#include "fit/field_normals.h"
#include "mesh/solve_weld.h"
#include "skincells/metrics.h"
#include "transfer/skeletons.h"

namespace skincells::transfer {
namespace {

constexpr std::size_t kMostFitPoints = 20000; // more points cost time and hardly change the result
constexpr int kMeasuredPoses = 20;

// The data that a field is fitted to: some of the source's vertices, and their rows over the field's joints.
struct Target {
  std::vector<Vec3f> points, normals;
  SparseWeights rows;
};

// The normals that a field sees at the vertices of a mesh; empty: none.
std::vector<Vec3f> vertexNormals(const FieldParameters& field, const Mesh& mesh, const Weld& weld) {
  const std::vector<Vec3f> welded = fit::normalsSeen(field, mesh::solveMesh(mesh, weld));
  std::vector<Vec3f> normals;
  if (!welded.empty())
    for (std::uint32_t v : weld.welded_of_vertex) normals.push_back(welded[v]);
  return normals;
}

Target targetOf(const Character& source, const FieldParameters& field, std::span<const int> field_joint) {
  const Weld weld = mesh::weldForSolve(source.mesh);
  const std::vector<Vec3f> normals = vertexNormals(field, source.mesh, weld);
  const std::size_t step = weld.first_vertex.size() / kMostFitPoints + 1;
  std::vector<std::uint32_t> chosen;
  for (std::size_t v = 0; v < weld.first_vertex.size(); v += step) {
    const auto row = source.weights.weightRow(weld.first_vertex[v]);
    if (std::ranges::any_of(row, [](float w) { return w > 0; })) chosen.push_back(weld.first_vertex[v]);
  }
  Target target;
  for (std::uint32_t v : chosen) target.points.push_back(source.mesh.positions[v]);
  if (!normals.empty())
    for (std::uint32_t v : chosen) target.normals.push_back(normals[v]);
  target.rows = gatherRows(source.weights, chosen);
  renameJoints(target.rows, field_joint);
  return target;
}

// The region of influence of a joint: moments of its vertices, weighted by their squared weights.
struct Region {
  double mass = 0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
};

// A segment through the center of each joint's region of influence, along its longest axis: the sites of the cell start
// on it. Bones are not used because in some files they lead elsewhere, and leaf joints have none.
std::vector<field::BoneSegment> regionAxes(const Target& target, const FieldParameters& field, const Skeleton& skeleton,
                                           std::span<const int> weighted) {
  std::vector<Region> regions(weighted.size());
  for (std::size_t v = 0; v < target.points.size(); ++v) {
    const Vec3d p = field.toUnit(toDouble(target.points[v]));
    const Eigen::Vector3d x(p.x, p.y, p.z);
    for (std::size_t k = 0; k < target.rows.weightRow(v).size(); ++k) {
      const auto w = static_cast<double>(target.rows.weightRow(v)[k]);
      Region& own = regions[target.rows.jointRow(v)[k]];
      own.mass += w * w;
      own.first += w * w * x;
      own.second += w * w * x * x.transpose();
    }
  }
  constexpr double kSmallestMass = 1e-6;
  std::vector<field::BoneSegment> lines;
  for (std::size_t j = 0; j < regions.size(); ++j) {
    const Vec3d at = field.toUnit(skeleton.bindPosition(weighted[j]));
    field::BoneSegment line{static_cast<int>(j), at, at};
    if (regions[j].mass > kSmallestMass) {
      const Eigen::Vector3d middle = regions[j].first / regions[j].mass;
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(regions[j].second / regions[j].mass -
                                                                middle * middle.transpose());
      const Eigen::Vector3d half = axes.eigenvectors().col(2) * std::sqrt(std::max(axes.eigenvalues()[2], 0.0));
      line.a = {middle[0] - half[0], middle[1] - half[1], middle[2] - half[2]};
      line.b = {middle[0] + half[0], middle[1] + half[1], middle[2] + half[2]};
    }
    lines.push_back(line);
  }
  return lines;
}

FieldFit measureFit(const Character& source, const FieldDocument& document) {
  const Weld weld = mesh::weldForSolve(source.mesh);
  SparseWeights fitted =
      evaluateField(document, {source.mesh.positions, vertexNormals(document.field, source.mesh, weld)});
  renameJoints(fitted, document.joints);
  RandomPoseOptions poses;
  poses.count = kMeasuredPoses;
  const Comparison comparison =
      compareWeights(source.mesh, source.weights, fitted, {{"random", randomPoses(source.skeleton, poses)}});
  return {comparison.half_l1, comparison.sets[0].error.rms, kMeasuredPoses, {}};
}

// The character without vertices that no triangle uses: they may be anywhere, and the box would be too. Nothing if all
// are used, or if there are no triangles.
std::optional<Character> withoutLooseVertices(const Character& character) {
  std::vector<bool> used(character.mesh.positions.size());
  for (const Triangle& t : character.mesh.triangles)
    for (std::uint32_t v : t) used[v] = true;
  if (character.mesh.triangles.empty() || std::ranges::find(used, false) == used.end()) return std::nullopt;
  std::vector<std::uint32_t> vertex_of;
  return binding::partOf(
      character, [&](std::uint32_t v) { return used[v]; }, vertex_of);
}

} // namespace

Result<FittedField> fitField(const Character& character, std::span<const int> weighted, int max_influences,
                             const TransferOptions& options, const ProgressFunction& progress) {
  const std::optional<Character> surface = withoutLooseVertices(character);
  const Character& source = surface ? *surface : character;
  std::vector<int> field_joint(source.skeleton.joints.size(), -1);
  for (std::size_t f = 0; f < weighted.size(); ++f) field_joint[weighted[f]] = static_cast<int>(f);
  const Box box = source.mesh.bounds();
  const double side = std::max({box.size().x, box.size().y, box.size().z});
  const FieldLayout layout{static_cast<int>(weighted.size()), options.sites, FieldShape::ScaleRotation,
                           options.normals};
  FieldParameters unit(layout, max_influences);
  unit.unit_origin = box.lo;
  unit.unit_scale = side > 0 ? 1 / side : 1;
  const Target target = targetOf(source, unit, field_joint);
  FieldParameters field =
      field::initializeField(regionAxes(target, unit, source.skeleton, weighted), layout, max_influences, 0);
  field.unit_origin = unit.unit_origin;
  field.unit_scale = unit.unit_scale;
  const fit::FitReport report =
      fit::fitToWeights(field, {target.points, target.normals}, target.rows,
                        {.steps = options.fit_steps, .rates = fit::Tuning{}.fit_rates}, progress);
  if (report.stop_reason == "cancelled") return Error{ErrorCode::Cancelled, "stopped before there was a result", ""};

  BindResult as_bound;
  as_bound.field = std::move(field);
  as_bound.weights = source.weights;
  canonicalize(as_bound.weights, max_influences);
  for (std::size_t j = 0; j < source.skeleton.joints.size(); ++j)
    as_bound.report.joints.push_back({static_cast<int>(j), field_joint[j] >= 0, "weighted", ""});
  Warnings ignored; // "field.incomplete": the fit is not exact, which FieldFit reports
  FittedField out;
  out.document = describeField(source, as_bound, ignored);
  out.fit = measureFit(source, out.document);
  out.fit.loss = report.loss;
  return out;
}

} // namespace skincells::transfer
