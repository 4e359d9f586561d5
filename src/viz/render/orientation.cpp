#include "viz/render/orientation.h"

#include <cmath>

namespace skincells::render {
namespace {

Vec3d axisVector(char axis) {
  const double sign = axis >= 'a' ? 1 : -1;
  switch (axis) {
  case 'x':
  case 'X':
    return {sign, 0, 0};
  case 'z':
  case 'Z':
    return {0, 0, sign};
  default:
    return {0, sign, 0};
  }
}

} // namespace

Orientation orientationOf(const Character& character, char up_axis) {
  Orientation o = guessOrientation(character.skeleton, character.mesh.bounds());
  if (o.up_known || up_axis == '?') return o;
  const Vec3d up = axisVector(up_axis);
  if (std::fabs(dot(up, o.forward)) > 0.5) o.forward = std::fabs(up.z) > 0.5 ? Vec3d{0, -1, 0} : Vec3d{0, 0, 1};
  o.up = up;
  return o;
}

} // namespace skincells::render
