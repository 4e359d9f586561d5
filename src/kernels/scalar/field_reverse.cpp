// The definition of the field's reverse pass.
#include <algorithm>
#include <cmath>

#include "kernels/parts.h"

namespace skincells::kernels::scalar {
namespace {

// Adds the derivatives that pass through the factor 1 + k cos of the distance to a site; u = x - p. Returns the factor.
float addFactor(const ReverseBlock& block, std::size_t cell, std::size_t i, const float* u, float g) {
  if (block.front.normals == nullptr) return 1;
  const BlockNormals& normals = *block.front.normals;
  const float n[3] = {normals.x[i], normals.y[i], normals.z[i]};
  const float toward = std::max(-(n[0] * u[0] + n[1] * u[1] + n[2] * u[2]), 0.0F);
  const float inverse = 1 / std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + kSmallestSquare);
  const float cosine = toward * inverse, k = block.front.factor[block.joint[cell]], factor = 1 + k * cosine;
  const float by_cosine = toward > 0 ? g * block.distance[cell * kBlock + i] / factor * k : 0.0F;
  float* sums = block.front_sums + static_cast<std::size_t>(block.site[cell * kBlock + i]) * kFrontSums;
  for (std::size_t a = 0; a < 3; ++a) sums[a] += by_cosine * inverse * (n[a] + cosine * inverse * u[a]);
  sums[3] += by_cosine * cosine;
  return factor;
}

// Adds the derivatives that pass through the distance of point i to the cell; g = dL/d(distance).
void addDistance(const ReverseBlock& block, std::size_t cell, std::size_t i, float g) {
  const std::size_t at = cell * kBlock + i, site = static_cast<std::size_t>(block.site[at]);
  const float* center = block.center + 4 * site;
  const float u[3] = {block.points->x[i] - center[0], block.points->y[i] - center[1], block.points->z[i] - center[2]};
  touch(block, block.joint[cell]);
  const float factor = addFactor(block, cell, i, u, g), t = block.offset[site], h = block.distance[at] / factor;
  g *= factor;
  // Where h < t, d^2 = 2 h t - t^2, and (1 - d^2 / t^2) / 2 = 1 - h / t.
  const float by_squared = g / std::max(h, t);
  float* sums = block.site_sums + site * kSiteSums;
  for (std::size_t a = 0; a < 3; ++a) sums[a] += by_squared * u[a];
  sums[3] += g * std::max(t - h, 0.0F);
  float* moments = sums + 4;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a; b < 3; ++b) *moments++ += by_squared * u[a] * u[b];
}

void reversePoint(const ReverseBlock& block, std::size_t i) {
  float mean = 0, by_reference = 0;
  for (std::size_t a = 0; a < block.cells; ++a) mean += block.weight[a * kBlock + i] * block.gradient[a * kBlock + i];
  const float reference = std::sqrt(block.reference2[i]);
  for (std::size_t a = 0; a < block.cells; ++a) {
    const std::size_t at = a * kBlock + i, j = block.joint[a];
    const float g = block.weight[at] * (block.gradient[at] - mean); // dL/d(log_raw)
    if (g == 0) continue;
    const float h = block.distance[at], above = reference - h, r = block.falloff[j];
    const bool reference_decides = block.cuts && above > block.slack[j];
    const float slope = reference_decides ? r / above : 0.0F; // d log_raw / d D
    addDistance(block, a, i, -g * (r / h + slope));
    float* sums = block.joint_sums + j * kJointSums;
    if (block.cuts && !reference_decides) sums[0] += g * r;
    sums[1] += g * block.log_raw[at];
    by_reference += g * slope;
  }
  if (by_reference == 0) return;
  for (std::size_t a = 0; a < block.cells; ++a)
    if ((block.at_reference[a] >> i & 1U) != 0) addDistance(block, a, i, by_reference);
}

void reverseBlock(const ReverseBlock& block) {
  for (std::size_t i = 0; i < kBlock; ++i) reversePoint(block, i);
}

} // namespace

void setFieldReverse(Kernels& table) {
  table.reverseBlock = reverseBlock;
}

} // namespace skincells::kernels::scalar
