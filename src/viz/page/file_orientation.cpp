#include "viz/page/file_orientation.h"

#include <cmath>

#include "viz/render/orientation.h"

namespace skincells::page {

Result<Orientation> orientationOf(const CharacterFile& file, Front front) {
  Orientation o = render::orientationOf(file.character(), file.info().up_axis);
  if (front == Front::Auto) return o;
  static constexpr Vec3d kAxes[] = {{}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  constexpr double kParallel = 0.9;
  const Vec3d wanted = normalized(file.info().bind_from_scene.applyLinear(kAxes[static_cast<int>(front)]));
  if (std::fabs(dot(wanted, o.up)) > kParallel)
    return Error{ErrorCode::InvalidOption, "this axis points up or down; name one along which the character looks",
                 "--front"};
  o.forward = normalized(wanted - o.up * dot(wanted, o.up));
  return o;
}

} // namespace skincells::page
