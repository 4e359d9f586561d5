#include "viz/render/ground.h"

#include <algorithm>
#include <numbers>

#include "viz/render/raster.h"

namespace skincells::render {
namespace {

constexpr int kSize = 256;           // samples across the map
constexpr double kMargin = 1.5;      // size of the map / size of the figure; leaves room for the blur
constexpr double kEyeDistance = 100; // in figure sizes: practically a parallel projection

// Parts below `height` (of the figure's size) throw a shadow of this darkness, blurred over `blur` (same unit).
struct Layer {
  double height, blur;
  float darkness;
};
constexpr Layer kLayers[] = {{0.02, 0.010, 0.55f}, {0.07, 0.026, 0.45f}, {0.22, 0.06, 0.34f}, {0.80, 0.12, 0.26f}};

using Map = std::vector<float>;

// Mean over 2 * radius + 1 neighbors along lines of the map; `step` leads from one to the next.
void blurLines(Map& map, int radius, std::size_t line_step, std::size_t step) {
  std::vector<float> line(kSize + 2 * static_cast<std::size_t>(radius));
  const float scale = 1 / static_cast<float>(2 * radius + 1);
  for (std::size_t l = 0; l < kSize; ++l) {
    std::fill(line.begin(), line.end(), 0.0f);
    float* first = &map[l * line_step];
    for (std::size_t i = 0; i < kSize; ++i) line[i + static_cast<std::size_t>(radius)] = first[i * step];
    float sum = 0;
    for (int i = 0; i < 2 * radius; ++i) sum += line[static_cast<std::size_t>(i)];
    for (std::size_t i = 0; i < kSize; ++i) {
      sum += line[i + 2 * static_cast<std::size_t>(radius)];
      first[i * step] = std::max(0.0f, sum * scale);
      sum -= line[i];
    }
  }
}

void blur(Map& map, int radius) {
  for (int pass = 0; pass < 2; ++pass) { // two boxes make a tent, soft enough here
    blurLines(map, radius, kSize, 1);
    blurLines(map, radius, 1, kSize);
  }
}

} // namespace

GroundShadow::GroundShadow(std::span<const Vec3f> positions, std::span<const Triangle> triangles, const Vec3d& up)
    : up_(normalized(up)), map_(static_cast<std::size_t>(kSize) * kSize, 0.0f) {
  Box box;
  floor_ = INFINITY;
  for (const Vec3f& p : positions) {
    if (!isFinite(p)) continue;
    box.add(toDouble(p));
    floor_ = std::fmin(floor_, dot(toDouble(p), up_));
  }
  const double size = box.diagonal();
  if (!(size > 0) || up_ == Vec3d{}) return;
  const Vec3d foot = box.center() + up_ * (floor_ - dot(box.center(), up_));
  Camera camera;
  camera.target = foot;
  camera.eye = foot - up_ * (kEyeDistance * size);
  camera.up = cross(up_, std::fabs(up_.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
  camera.field_of_view = 2 * std::atan(kMargin / 2 / kEyeDistance) * 180 / std::numbers::pi;
  from_below_ = makeProjection(camera, kSize, kSize);
  const Visibility seen = rasterize(toViewSpace(positions, from_below_), triangles, from_below_);
  for (const Layer& layer : kLayers) {
    Map mask(map_.size());
    for (std::size_t i = 0; i < mask.size(); ++i) {
      const double depth = seen.triangle[i] == kNothing ? INFINITY : 1.0 / seen.inverse_depth[i];
      mask[i] = depth - kEyeDistance * size < layer.height * size ? 1.0f : 0.0f;
    }
    blur(mask, std::max(1, static_cast<int>(layer.blur / kMargin * kSize)));
    for (std::size_t i = 0; i < mask.size(); ++i) map_[i] = 1 - (1 - map_[i]) * (1 - layer.darkness * mask[i]);
  }
}

float GroundShadow::along(const Vec3d& eye, const Vec3d& direction) const {
  const double falling = -dot(direction, up_), height = dot(eye, up_) - floor_;
  if (from_below_.width == 0 || !(falling > 1e-9) || !(height > 0)) return 0;
  return sample(eye + direction * (height / falling));
}

float GroundShadow::sample(const Vec3d& on_floor) const {
  const Vec3f view = from_below_.toView(toFloat(on_floor));
  const double x = from_below_.pictureX(view) - 0.5, y = from_below_.pictureY(view) - 0.5;
  if (!(x >= 0 && y >= 0 && x < kSize - 1 && y < kSize - 1)) return 0;
  const auto ix = static_cast<std::size_t>(x), iy = static_cast<std::size_t>(y);
  const auto tx = static_cast<float>(x - static_cast<double>(ix)), ty = static_cast<float>(y - static_cast<double>(iy));
  const float* m = &map_[iy * kSize + ix];
  return (m[0] * (1 - tx) + m[1] * tx) * (1 - ty) + (m[kSize] * (1 - tx) + m[kSize + 1] * tx) * ty;
}

} // namespace skincells::render
