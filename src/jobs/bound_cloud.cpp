#include "jobs/bound_cloud.h"

#include <numeric>

#include "base/try.h"
#include "field/evaluate.h"
#include "mesh/point_surface.h"
#include "mesh/point_tree.h"
#include "skincells/io/scene.h"
#include "weights/rows_edit.h"

namespace skincells::jobs {
namespace {

Error notForClouds(const char* option) {
  return {ErrorCode::InvalidOption, "is not for point clouds", option};
}

Result<Mesh> surfaceOf(const PointCloudFile& cloud) {
  if (!cloud.mesh().triangles.empty()) return cloud.mesh();
  Mesh surface = mesh::surfaceOfPoints(cloud.mesh().positions);
  constexpr std::size_t kFewest = 50; // triangles
  if (surface.triangles.size() >= kFewest) return surface;
  return Error{ErrorCode::NoMesh,
               "has " + std::to_string(cloud.mesh().positions.size()) +
                   " points, through which no surface can be seen; a cloud needs some hundred points on the surface of "
                   "the character, or bind a mesh and give the points its field with 'skincells apply'",
               cloud.info().path};
}

// The mesh as a file, so that it can take a skeleton from another one.
std::vector<std::uint8_t> glbOf(Mesh mesh) {
  Scene scene;
  ScenePrimitive primitive;
  primitive.positions = std::move(mesh.positions);
  primitive.triangles = std::move(mesh.triangles);
  scene.meshes.push_back({"points", {std::move(primitive)}});
  SceneNode node;
  node.name = "points";
  node.mesh = 0;
  scene.nodes.push_back(std::move(node));
  return sceneToGlb(scene);
}

// The row of the vertex nearest to each point.
SparseWeights nearestRows(const Mesh& surface, const SparseWeights& rows, std::span<const Vec3f> points) {
  std::vector<std::uint32_t> all(surface.positions.size()), nearest(points.size());
  std::iota(all.begin(), all.end(), 0U);
  const mesh::PointTree tree(surface.positions, std::move(all));
  for (std::size_t i = 0; i < points.size(); ++i) nearest[i] = tree.nearest(toDouble(points[i]));
  return gatherRows(rows, nearest);
}

SparseWeights weightsOfPoints(const std::vector<Vec3f>& points, const Character& surface, const BindResult& result) {
  if (!result.field) return nearestRows(surface.mesh, result.weights, points);
  SparseWeights rows = field::evaluateHard(*result.field, points);
  std::vector<int> deforming;
  for (const JointDecision& d : result.report.joints)
    if (d.deforms) deforming.push_back(d.joint);
  weights::remapJoints(rows, deforming);
  canonicalize(rows, rows.slots);
  return rows;
}

} // namespace

bool bindsCloud(const BindJob& job) {
  return isPlyPath(job.input) && isPlyPath(job.output);
}

Result<void> checkCloudJob(const BindJob& job) {
  if (job.read.rig.empty())
    return Error{ErrorCode::InvalidOption, "a point cloud has no skeleton: name the file that has it", "--rig"};
  if (job.field.embed_field)
    return Error{ErrorCode::InvalidOption, "a point cloud contains no field; write it with --field", "--embed-field"};
  if (!job.wear.body.empty()) return notForClouds("--body");
  if (!job.wear.garment.empty()) return notForClouds("--garment");
  if (!job.wear.layers.empty()) return notForClouds("--layers");
  return {};
}

Result<CharacterFile> readCloud(BindJob& job, std::optional<PointCloudFile>& cloud) {
  SKINCELLS_TRY(points, PointCloudFile::read(job.input));
  SKINCELLS_TRY(surface, surfaceOf(points));
  if (points.mesh().triangles.empty()) job.bind.normals = false;
  cloud = std::move(points);
  return CharacterFile::readGlb(glbOf(std::move(surface)), job.input, job.read);
}

BoundCloud weighCloud(PointCloudFile cloud, const Character& surface, const BindResult& result) {
  SparseWeights weights =
      cloud.mesh().triangles.empty() ? weightsOfPoints(cloud.mesh().positions, surface, result) : result.weights;
  return {std::move(cloud), std::move(weights)};
}

} // namespace skincells::jobs
