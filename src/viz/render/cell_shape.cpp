#include "viz/render/cell_shape.h"

#include <algorithm>

#include "deform/lbs.h"

namespace skincells::render {
namespace {

// The range of points along a direction.
double extent(std::span<const Vec3f> points, const Vec3d& direction) {
  double lo = 0, hi = 0;
  bool any = false;
  for (const Vec3f& p : points) {
    const double x = dot(toDouble(p), direction);
    if (!any || x < lo) lo = x;
    if (!any || x > hi) hi = x;
    any = true;
  }
  return hi - lo;
}

} // namespace

double contentAspect(const Character& character, std::span<const LabeledSkin> skins, std::span<const LabeledPose> poses,
                     const Orientation& orientation, std::span<const View> views) {
  constexpr double kShadow = 1.1; // room beside the character, on the floor
  std::vector<Vec3f> all, posed(character.mesh.positions.size());
  double width = 0, height = 0;
  for (const LabeledPose& pose : poses) {
    if (!pose.focus.empty()) continue;
    all.clear();
    for (const LabeledSkin& skin : skins) {
      deform::skin(character.mesh.positions, *skin.weights, pose.pose, posed);
      all.insert(all.end(), posed.begin(), posed.end());
    }
    for (View view : views) {
      const Camera camera = frameCamera(all, view, orientation);
      const Vec3d ahead = normalized(camera.target - camera.eye), right = normalized(cross(ahead, camera.up));
      width = std::max(width, kShadow * extent(all, right));
      height = std::max(height, extent(all, cross(right, ahead)));
    }
  }
  return width > 0 && height > 0 ? std::clamp(width / height, 0.5, 2.0) : 1;
}

} // namespace skincells::render
