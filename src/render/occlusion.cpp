#include "render/occlusion.h"

#include <array>

#include "base/parallel.h"

namespace skincells::render {
namespace {

constexpr int kTaps = 12;
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
        width_(seen.width / samples), height_(seen.height / samples), taps_(makeTaps()) {}

  std::vector<float> run() const {
    std::vector<float> raw(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 1.0f);
    std::vector<float> smooth = raw;
    forPixels([&](int x, int y, std::size_t i) { raw[i] = opennessAt(x, y); });
    forPixels([&](int x, int y, std::size_t i) { smooth[i] = smoothed(raw, x, y); });
    return smooth;
  }

private:
  template <class Body> void forPixels(const Body& body) const {
    parallelChunks(static_cast<std::size_t>(height_), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t y = begin; y < end; ++y)
        for (int x = 0; x < width_; ++x) {
          const std::size_t i = y * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
          if (seen_.triangle[sampleOf(x, static_cast<int>(y))] != kNothing) body(x, static_cast<int>(y), i);
        }
    });
  }

  int middle(int pixel) const { return pixel * samples_ + samples_ / 2; }
  std::size_t sampleOf(int x, int y) const { return seen_.index(middle(x), middle(y)); }

  Vec3f viewNormal(const Vec3f& n) const {
    const Projection& p = surface_.projection;
    const Vec3d d = toDouble(n);
    return toFloat({dot(d, p.right), dot(d, p.up), dot(d, p.forward)});
  }

  float opennessAt(int x, int y) const {
    const Projection& projection = surface_.projection;
    const int sx = middle(x), sy = middle(y);
    const SurfacePoint point = surface_.at(seen_.triangle[sampleOf(x, y)], sx + 0.5, sy + 0.5);
    const Vec3f normal = viewNormal(point.normal);
    const float reach = radius_ * static_cast<float>(projection.focal) / point.view_position.z;
    const auto& taps = taps_[static_cast<std::size_t>((y % kPattern) * kPattern + x % kPattern)];
    float hidden = 0;
    for (const Tap& tap : taps) {
      const int tx = sx + static_cast<int>(std::lround(tap[0] * reach));
      const int ty = sy + static_cast<int>(std::lround(tap[1] * reach));
      if (tx < 0 || ty < 0 || tx >= seen_.width || ty >= seen_.height) continue;
      const float inverse_depth = seen_.inverse_depth[seen_.index(tx, ty)];
      if (!(inverse_depth > 0)) continue;
      const Vec3f other = projection.rayAt(tx + 0.5, ty + 0.5) * (1 / inverse_depth) - point.view_position;
      const float distance = length(other);
      if (!(distance > 0) || distance > 2 * radius_) continue;
      const float fade = std::min(1.0f, 2 - distance / radius_);
      hidden += fade * std::max(0.0f, dot(normal, other) / distance - kBias);
    }
    return std::max(0.0f, 1 - kStrength * hidden / kTaps);
  }

  // The mean over one repeat of the pattern, without pixels of other depth.
  float smoothed(const std::vector<float>& raw, int x, int y) const {
    const float depth = 1 / seen_.inverse_depth[sampleOf(x, y)];
    float sum = 0, count = 0;
    for (int py = std::max(0, y - kPattern / 2); py < std::min(height_, y + kPattern / 2 + 1); ++py)
      for (int px = std::max(0, x - kPattern / 2); px < std::min(width_, x + kPattern / 2 + 1); ++px) {
        const float inverse_depth = seen_.inverse_depth[sampleOf(px, py)];
        if (!(inverse_depth > 0) || std::fabs(1 / inverse_depth - depth) > 0.5f * radius_) continue;
        sum += raw[static_cast<std::size_t>(py) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(px)];
        ++count;
      }
    return sum / count;
  }

  const Visibility& seen_;
  const Surface& surface_;
  int samples_;
  float radius_;
  int width_, height_;
  Taps taps_;
};

} // namespace

std::vector<float> openness(const Visibility& seen, const Surface& surface, int samples, double radius) {
  return Occlusion(seen, surface, samples, radius).run();
}

} // namespace skincells::render
