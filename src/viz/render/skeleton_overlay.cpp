#include "viz/render/skeleton_overlay.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "viz/render/picture/blend.h"
#include "viz/render/projection.h"

namespace skincells::render {
namespace {

constexpr Rgb kInk{0.02f, 0.03f, 0.06f}, kBone{0.95f, 0.75f, 0.10f};

struct Spot {
  double x, y;
};

double distanceToLine(const Spot& p, const Spot& a, const Spot& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, size = dx * dx + dy * dy;
  const double t = size > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / size, 0.0, 1.0) : 0;
  return std::hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

// A line with round ends; a dot if both ends are the same.
void drawLine(Image& image, const Spot& a, const Spot& b, double width, const Rgb& color) {
  const auto range = [](double lo, double hi, int size) {
    return std::pair{static_cast<int>(std::floor(std::clamp(lo, 0.0, static_cast<double>(size)))),
                     static_cast<int>(std::ceil(std::clamp(hi, 0.0, static_cast<double>(size))))};
  };
  const double reach = width / 2 + 1;
  const auto [left, right] = range(std::min(a.x, b.x) - reach, std::max(a.x, b.x) + reach, image.width);
  const auto [top, bottom] = range(std::min(a.y, b.y) - reach, std::max(a.y, b.y) + reach, image.height);
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) {
      const double ink = std::clamp(width / 2 + 0.5 - distanceToLine({x + 0.5, y + 0.5}, a, b), 0.0, 1.0);
      if (ink > 0) blendPixel(image.pixel(x, y), color, static_cast<float>(ink));
    }
}

} // namespace

void drawSkeleton(Image& image, const Skeleton& skeleton, const Pose& pose, const Camera& camera) {
  const Projection projection = makeProjection(camera, image.width, image.height);
  const double width = std::clamp(std::max(image.width, image.height) / 220.0, 1.0, 4.0);
  std::vector<std::optional<Spot>> spots(skeleton.joints.size());
  for (std::size_t j = 0; j < spots.size(); ++j) {
    const Vec3d at = pose[j].apply(skeleton.bindPosition(static_cast<int>(j)));
    if (!skeleton.joints[j].bind_usable || !isFinite(at)) continue;
    const Vec3f view = projection.toView(toFloat(at));
    if (static_cast<double>(view.z) > projection.near_depth)
      spots[j] = Spot{projection.pictureX(view), projection.pictureY(view)};
  }
  for (const auto& [extra, color] : {std::pair{width + 1, kInk}, std::pair{0.0, kBone}}) {
    for (std::size_t j = 0; j < spots.size(); ++j) {
      if (!spots[j]) continue;
      const int parent = skeleton.joints[j].parent;
      if (parent != kNoParent && spots[static_cast<std::size_t>(parent)])
        drawLine(image, *spots[static_cast<std::size_t>(parent)], *spots[j], width + extra, color);
      drawLine(image, *spots[j], *spots[j], 2.4 * width + extra, color);
    }
  }
}

} // namespace skincells::render
