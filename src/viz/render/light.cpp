#include "viz/render/light.h"

#include <algorithm>

namespace skincells::render {
namespace {

constexpr Rgb kKey{0.92f, 0.88f, 0.82f}, kFill{0.14f, 0.16f, 0.20f}, kSky{0.29f, 0.31f, 0.36f};
constexpr Rgb kFloor{0.17f, 0.155f, 0.14f}, kRim{0.42f, 0.45f, 0.50f}, kGloss{0.055f, 0.055f, 0.055f};
constexpr float kWrap = 0.22f; // how far the key light reaches around the edge of shadow

Vec3f lamp(const Projection& p, double right, double up, double to_eye) {
  return toFloat(normalized(p.toWorldDirection({right, up, -to_eye})));
}

// Bends values near and above 1 down, so that highlights keep their color.
float shoulder(float x) {
  constexpr float kKnee = 0.72f, kRoom = 1 - kKnee;
  return x <= kKnee ? x : kKnee + kRoom * (x - kKnee) / (x - kKnee + kRoom);
}

float power(float x, int times_squared) {
  for (int i = 0; i < times_squared; ++i) x *= x;
  return x;
}

} // namespace

Studio::Studio(const Projection& p)
    : key_(lamp(p, -0.55, 0.62, 0.62)), fill_(lamp(p, 0.85, 0.10, 0.45)), rim_(lamp(p, 0.55, 0.55, -0.75)),
      sky_(lamp(p, 0, 1, 0)), half_(lamp(p, -0.275, 0.31, 0.81)) {}

Rgb Studio::shade(const Rgb& albedo, const Vec3f& normal, const Vec3f& to_eye, float openness) const {
  const float wrapped = std::max(0.0f, (dot(normal, key_) + kWrap) / (1 + kWrap));
  const float key = wrapped * (0.55f + 0.45f * wrapped) * (0.45f + 0.55f * openness);
  const float fill = std::max(0.0f, dot(normal, fill_)) * openness;
  const float sky = 0.5f + 0.5f * dot(normal, sky_);
  const float grazing = 1 - std::max(0.0f, dot(normal, normalized(to_eye)));
  const float rim = grazing * grazing * grazing * std::max(0.0f, dot(normal, rim_) + 0.25f) * openness;
  const float gloss = power(std::max(0.0f, dot(normal, half_)), 4) * openness;
  const Rgb around = mix(kFloor, kSky, sky) * openness;
  const Rgb light = albedo * (around + kKey * key + kFill * fill) + kRim * rim + kGloss * gloss;
  return {shoulder(light.r), shoulder(light.g), shoulder(light.b)};
}

} // namespace skincells::render
