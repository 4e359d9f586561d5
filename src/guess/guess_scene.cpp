#include "guess/guess_scene.h"

#include <algorithm>

#include "guess/tuning.h"

namespace skincells::guess {
namespace {

Mesh resized(const Mesh& mesh, double scale, const Vec3d& offset) {
  Mesh out;
  out.triangles = mesh.triangles;
  out.positions.reserve(mesh.positions.size());
  for (const Vec3f& p : mesh.positions) out.positions.push_back(toFloat((toDouble(p) - offset) * scale));
  return out;
}

// Thin triangles have weights near zero or far above the rest.
std::vector<mesh::EdgeWeight> clampedWeights(const Mesh& mesh) {
  std::vector<mesh::EdgeWeight> edges = mesh::cotangentWeights(mesh);
  for (mesh::EdgeWeight& e : edges) e.weight = std::clamp(e.weight, kTuning.least_cotangent, kTuning.most_cotangent);
  return edges;
}

} // namespace

GuessScene::GuessScene(const Mesh& welded)
    : scale(mesh::scaleToSize(welded.bounds(), mesh::kCharacterSize)), offset(welded.bounds().center()),
      mesh(resized(welded, scale, offset)), islands(findIslands(mesh)), parts(mesh::measureParts(mesh, islands)),
      vertices(mesh::measureVertices(mesh)), edges(clampedWeights(mesh)), rays(mesh) {}

Skeleton GuessScene::place(const Skeleton& skeleton) const {
  Skeleton placed = skeleton;
  for (int j = 0; j < skeleton.jointCount(); ++j)
    placed.joints[static_cast<std::size_t>(j)].bind = Affine::fromTranslation(toScene(skeleton.bindPosition(j)));
  return placed;
}

} // namespace skincells::guess
