#include "guess/guess_scene.h"

namespace skincells::guess {

GuessScene::GuessScene(const Mesh& welded)
    : scale(mesh::scaleToSize(welded.bounds(), mesh::kCharacterSize)), offset(welded.bounds().center()),
      mesh(mesh::inSpace(welded, {offset, scale})), islands(findIslands(mesh)),
      parts(mesh::measureParts(mesh, islands)), vertices(mesh::measureVertices(mesh)),
      edges(mesh::clampedCotangentWeights(mesh)), rays(mesh) {}

Skeleton GuessScene::place(const Skeleton& skeleton) const {
  Skeleton placed = skeleton;
  for (Joint& joint : placed.joints) {
    const Vec3d at = toScene(joint.bind.translation());
    for (auto& row : joint.bind.m)
      for (int c = 0; c < 3; ++c) row[c] *= scale;
    joint.bind.m[0][3] = at.x;
    joint.bind.m[1][3] = at.y;
    joint.bind.m[2][3] = at.z;
  }
  return placed;
}

} // namespace skincells::guess
