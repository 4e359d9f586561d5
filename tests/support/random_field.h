// Random fields and points for property tests.
#pragma once

#include <vector>

#include "base/random.h"
#include "skincells/field.h"

namespace skincells::test {

// A field whose cells overlap a good deal: centers in the unit box, moderate shapes, r in 1 .. 6, c near `slack`, k in
// 0.2 .. 4 if it sees normals.
inline FieldParameters randomField(Random& random, const FieldLayout& layout, int max_influences,
                                   double slack = 0.003) {
  FieldParameters field(layout, max_influences);
  const auto uniform = [&](double lo, double hi) { return static_cast<float>(random.uniform(lo, hi)); };
  for (float& v : field.centers()) v = uniform(0, 1);
  for (float& v : field.logOffsets()) v = uniform(std::log(0.005), std::log(0.05));
  for (float& v : field.shapes()) v = uniform(-0.4, 0.4);
  if (layout.shape == FieldShape::ScaleRotation)
    for (std::size_t s = 0; s < layout.sites(); ++s) field.shapes()[7 * s + 3] = uniform(0.5, 1);
  for (float& v : field.logSlacks()) v = uniform(std::log(0.5 * slack), std::log(2 * slack));
  for (float& v : field.logFalloffs()) v = uniform(0, std::log(6));
  for (float& v : field.logFronts()) v = uniform(std::log(0.2), std::log(4));
  return field;
}

inline std::vector<Vec3f> randomPoints(Random& random, std::size_t count, double lo = -0.2, double hi = 1.2) {
  std::vector<Vec3f> points(count);
  for (Vec3f& p : points) p = toFloat({random.uniform(lo, hi), random.uniform(lo, hi), random.uniform(lo, hi)});
  return points;
}

// Unit vectors, shorter ones and zeros.
inline std::vector<Vec3f> randomNormals(Random& random, std::size_t count) {
  std::vector<Vec3f> normals(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3d direction{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    normals[i] = toFloat(normalized(direction) * (i % 5 == 0 ? 0 : i % 5 == 1 ? 0.4 : 1.0));
  }
  return normals;
}

} // namespace skincells::test
