// Cameras that frame a character.
#pragma once

#include <span>
#include <string_view>

#include "skincells/math.h"
#include "skincells/rig.h"

namespace skincells {

// A perspective camera.
struct Camera {
  Vec3d eye{0, 0, 5};
  Vec3d target{};
  Vec3d up{0, 1, 0};         // not parallel to the line of sight
  double field_of_view = 22; // angle between the lower and the upper border, degrees, 1 .. 150
};

// The axis of the scene along which a character looks.
enum class Front { Auto, X, MinusX, Y, MinusY, Z, MinusZ };

enum class View { Front, ThreeQuarter, Side, Back, Top };
std::string_view viewName(View view); // "front", "three-quarter", ...
inline constexpr double kFrameMargin = 0.06;
// The camera on that side of the points that is as near as it can be with all of them in the picture. aspect: width /
// height; margin: share of the picture left free at each border. A default camera if there are no finite points.
Camera frameCamera(std::span<const Vec3f> points, View view, const Orientation& orientation, double aspect = 1,
                   double margin = kFrameMargin);

} // namespace skincells
