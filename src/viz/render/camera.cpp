#include "skincells/viz/camera.h"

#include <numbers>

#include "base/assert.h"
#include "viz/render/projection.h"

namespace skincells {
namespace {

constexpr double kRadians = std::numbers::pi / 180;

// Direction of the eye, seen from the figure: rotated from its front toward its left side, and raised.
struct Place {
  double azimuth, elevation; // degrees
};
Place placeOf(View view) {
  switch (view) {
  case View::Front:
    return {0, 7};
  case View::ThreeQuarter:
    return {38, 12};
  case View::Side:
    return {90, 7};
  case View::Back:
    return {180, 7};
  case View::Top:
    return {0, 90};
  }
  return {0, 0};
}

Vec3d directionToEye(View view, const Orientation& o) {
  const Vec3d up = normalized(o.up), left = normalized(cross(up, o.forward)), front = cross(left, up);
  const Place place = placeOf(view);
  const double azimuth = place.azimuth * kRadians, elevation = place.elevation * kRadians;
  const Vec3d level = front * std::cos(azimuth) + left * std::sin(azimuth);
  return level * std::cos(elevation) + up * std::sin(elevation);
}

// The points lie inside the picture's borders exactly when these four sums bound the eye's place.
struct Wedge {
  double low = INFINITY, high = INFINITY; // least slope * depth + across, least slope * depth - across

  void add(double across, double depth, double slope) {
    low = std::fmin(low, slope * depth + across);
    high = std::fmin(high, slope * depth - across);
  }
  double depth(double slope) const { return (low + high) / (2 * slope); }
  double across() const { return (low - high) / 2; }
};

} // namespace

std::string_view viewName(View view) {
  switch (view) {
  case View::Front:
    return "front";
  case View::ThreeQuarter:
    return "three-quarter";
  case View::Side:
    return "side";
  case View::Back:
    return "back";
  case View::Top:
    return "top";
  }
  return "?";
}

Camera frameCamera(std::span<const Vec3f> points, View view, const Orientation& orientation, double aspect,
                   double margin) {
  SKINCELLS_ASSERT(aspect > 0 && margin >= 0 && margin < 0.5);
  Camera camera;
  camera.up = view == View::Top ? orientation.forward : orientation.up;
  const render::Frame frame = render::frameOf(-directionToEye(view, orientation), camera.up);
  const double slope_y = std::tan(camera.field_of_view / 2 * kRadians) * (1 - 2 * margin), slope_x = slope_y * aspect;
  Box box;
  for (const Vec3f& p : points)
    if (isFinite(p)) box.add(toDouble(p));
  if (box.empty()) return camera;
  const Vec3d center = box.center();
  Wedge x, y;
  for (const Vec3f& point : points) {
    if (!isFinite(point)) continue;
    const Vec3d p = toDouble(point) - center;
    const double depth = dot(p, frame.forward);
    x.add(dot(p, frame.right), depth, slope_x);
    y.add(dot(p, frame.up), depth, slope_y);
  }
  // If all points were equal, the eye would be at the same place.
  const double size = box.diagonal() > 0 ? box.diagonal() : 1;
  const double depth = std::fmin(std::fmin(x.depth(slope_x), y.depth(slope_y)), -0.1 * size);
  camera.eye = center + frame.right * x.across() + frame.up * y.across() + frame.forward * depth;
  camera.target = camera.eye - frame.forward * depth;
  return camera;
}

} // namespace skincells
