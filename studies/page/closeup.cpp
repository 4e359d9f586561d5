#include "studies/page/closeup.h"

#include <numbers>

#include "deform/lbs.h"

namespace skincells::studies {

Mesh around(const Mesh& mesh, const Vec3d& center, double radius) {
  Mesh out;
  out.positions = mesh.positions;
  for (const Triangle& t : mesh.triangles)
    if (length(toDouble(mesh.positions[t[0]]) - center) < radius) out.triangles.push_back(t);
  return out;
}

Pose turnedPose(const Skeleton& skeleton, int joint, const Vec3d& axis, double degrees) {
  std::vector<Affine> turns(skeleton.joints.size());
  turns[static_cast<std::size_t>(joint)] = Affine::rotation(axis, degrees * std::numbers::pi / 180);
  return poseFromTurns(skeleton, turns);
}

Image closeUp(const Case& c, const SparseWeights& weights, const Pose& pose, const Vec3d& center, double radius,
              View view, int pixels) {
  const Mesh part = around(c.character.mesh, center, radius);
  std::vector<Vec3f> posed(part.positions.size()), shown;
  deform::skin(part.positions, weights, pose, posed);
  for (const Triangle& t : part.triangles) shown.push_back(posed[t[0]]);
  RenderOptions options;
  options.width = options.height = pixels;
  options.ground_shadow = false;
  return renderMesh(part, posed, {}, frameCamera(shown, view, {}), options);
}

} // namespace skincells::studies
