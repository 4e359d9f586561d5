#include "biped.h"
#include "characters.h"

namespace skincells::examples {
namespace {

constexpr int kBodyTriangles = 21000;

Model modelOf(const Biped& figure, const Skeleton& t_pose) {
  return {figure.skeleton, bipedMaterials(), bipedParts(figure, kBodyTriangles), {walkClip(t_pose)}};
}

} // namespace

Model makeBipedTPose() {
  const Biped figure = makeBiped({}, bipedSkeleton({}).build());
  return modelOf(figure, figure.skeleton);
}

Model makeBipedAPose() {
  const Biped figure = makeBiped({}, bipedSkeleton({}).build());
  return modelOf(rebound(figure, armsLowered(figure.skeleton, 48)), figure.skeleton);
}

} // namespace skincells::examples
