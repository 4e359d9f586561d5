#include "guess/guess_scene.h"

namespace skincells::guess {

GuessScene::GuessScene(const Mesh& welded)
    : scale(mesh::scaleToSize(welded.bounds(), mesh::kCharacterSize)), offset(welded.bounds().center()),
      mesh(mesh::inSpace(welded, {offset, scale})), islands(findIslands(mesh)),
      parts(mesh::measureParts(mesh, islands)), vertices(mesh::measureVertices(mesh)),
      edges(mesh::clampedCotangentWeights(mesh)), rays(mesh) {}

Skeleton GuessScene::place(const Skeleton& skeleton) const {
  Skeleton placed = skeleton;
  for (int j = 0; j < skeleton.jointCount(); ++j)
    placed.joints[static_cast<std::size_t>(j)].bind = Affine::fromTranslation(toScene(skeleton.bindPosition(j)));
  return placed;
}

} // namespace skincells::guess
