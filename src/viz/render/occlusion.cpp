#include "viz/render/occlusion.h"

#include <array>

#include "base/parallel.h"

namespace skincells::render {
namespace {

constexpr int kTaps = 8;
constexpr int kPattern = 4; // taps turn in a 4 x 4 pattern of pixels, which the smoothing then averages out
constexpr float kBias = 0.12f, kStrength = 1.7f;
constexpr double kGoldenAngle = 2.399963229728653;

using Tap = std::array<float, 2>;
using Taps = std::array<std::array<Tap, kTaps>, kPattern * kPattern>;

// Spirals within the unit disc, one for each place in the pattern.
Taps makeTaps() {
  Taps taps{};
  for (std::size_t r = 0; r < taps.size(); ++r)
    for (std::size_t k = 0; k < kTaps; ++k) {
      const double turn = static_cast<double>((r * 7) % taps.size()) / static_cast<double>(taps.size());
      const double radius = (static_cast<double>(k) + 0.3 + 0.7 * turn) / kTaps;
      const double angle = static_cast<double>(k) * kGoldenAngle + 6.283185307179586 * turn;
      taps[r][k] = {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle))};
    }
  return taps;
}

class Occlusion {
public:
  Occlusion(const Visibility& seen, const Surface& surface, int samples, double radius)
      : seen_(seen), surface_(surface), samples_(samples), radius_(static_cast<float>(radius)),
        width_(seen.width / samples), height_(seen.height / samples),
        depth_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)), taps_(makeTaps()) {
    for (int x = 0; x < width_; ++x) ray_x_.push_back(surface.projection.rayAt(middle(x) + 0.5, 0).x);
    for (int y = 0; y < height_; ++y) ray_y_.push_back(surface.projection.rayAt(0, middle(y) + 0.5).y);
    forRows([&](int x, int y, std::size_t i) {
      const float inverse_depth = seen_.inverse_depth[sampleOf(x, y)];
      depth_[i] = inverse_depth > 0 ? 1 / inverse_depth : 0;
    });
  }

  std::vector<float> run() const {
    std::vector<float> raw(depth_.size(), 1.0f), smooth(depth_.size(), 1.0f);
    forRows([&](int x, int y, std::size_t i) {
      if (depth_[i] > 0) raw[i] = opennessAt(x, y);
    });
    forRows([&](int x, int y, std::size_t i) {
      if (depth_[i] > 0) smooth[i] = smoothed(raw, x, y);
    });
    return smooth;
  }

private:
  template <class Body> void forRows(const Body& body) const {
    parallelChunks(static_cast<std::size_t>(height_), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
        for (int x = 0; x < width_; ++x) body(x, y, pixelOf(x, y));
    });
  }

  std::size_t pixelOf(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }
  int middle(int pixel) const { return pixel * samples_ + samples_ / 2; }
  std::size_t sampleOf(int x, int y) const { return seen_.index(middle(x), middle(y)); }

  Vec3f viewNormal(const Vec3f& n) const {
    const Projection& p = surface_.projection;
    const Vec3d d = toDouble(n);
    return toFloat({dot(d, p.right), dot(d, p.up), dot(d, p.forward)});
  }

  float opennessAt(int x, int y) const {
    const SurfacePoint point = surface_.at(seen_.triangle[sampleOf(x, y)], middle(x) + 0.5, middle(y) + 0.5);
    const Vec3f normal = viewNormal(point.normal);
    const double samples_reach = static_cast<double>(radius_) * surface_.projection.focal / point.view_position.z;
    const auto reach = static_cast<float>(samples_reach / samples_);
    const float from_x = static_cast<float>(x) + 0.5f, from_y = static_cast<float>(y) + 0.5f;
    float hidden = 0;
    for (const Tap& tap : taps_[static_cast<std::size_t>((y % kPattern) * kPattern + x % kPattern)]) {
      const float tx = from_x + tap[0] * reach, ty = from_y + tap[1] * reach;
      if (!(tx >= 0 && ty >= 0 && tx < static_cast<float>(width_) && ty < static_cast<float>(height_))) continue;
      const int px = static_cast<int>(tx), py = static_cast<int>(ty);
      const float depth = depth_[pixelOf(px, py)];
      if (!(std::fabs(depth - point.view_position.z) < 2 * radius_)) continue;
      const Vec3f ray{ray_x_[static_cast<std::size_t>(px)], ray_y_[static_cast<std::size_t>(py)], 1};
      hidden += blocking(ray * depth - point.view_position, normal);
    }
    return std::max(0.0f, 1 - kStrength * hidden / kTaps);
  }

  // How much something at that offset hides of the sky above the surface.
  float blocking(const Vec3f& offset, const Vec3f& normal) const {
    const float along = dot(normal, offset);
    if (!(along > 0)) return 0;
    const float distance = length(offset), fade = std::clamp(2 - distance / radius_, 0.0f, 1.0f);
    return fade * std::max(0.0f, along / distance - kBias);
  }

  // The mean over one repeat of the pattern, without pixels of other depth.
  float smoothed(const std::vector<float>& raw, int x, int y) const {
    const float depth = depth_[pixelOf(x, y)];
    float sum = 0, count = 0;
    for (int py = std::max(0, y - kPattern / 2); py < std::min(height_, y + kPattern / 2 + 1); ++py)
      for (int px = std::max(0, x - kPattern / 2); px < std::min(width_, x + kPattern / 2 + 1); ++px) {
        const std::size_t i = pixelOf(px, py);
        if (!(std::fabs(depth_[i] - depth) <= 0.5f * radius_)) continue;
        sum += raw[i];
        count += 1;
      }
    return sum / count;
  }

  const Visibility& seen_;
  const Surface& surface_;
  int samples_;
  float radius_;
  int width_, height_;
  std::vector<float> depth_;         // in the middle of each pixel; 0 where nothing is seen
  std::vector<float> ray_x_, ray_y_; // directions through the pixels, by column and by row
  Taps taps_;
};

} // namespace

std::vector<float> openness(const Visibility& seen, const Surface& surface, int samples, double radius) {
  return Occlusion(seen, surface, samples, radius).run();
}

} // namespace skincells::render
