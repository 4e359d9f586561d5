// From the stored numbers of sites to what the field's loops read, and back for gradients: one site each of the
// kJointGroup joints of a group, side by side. Number c of joint i of the group is [c * kJointGroup + i].
#pragma once

#include "kernels/field_block.h"
#include "kernels/field_reverse.h"
#include "skincells/field.h"

namespace skincells::kernels {

// Stored numbers of a site: center, log t, shape (a triangle leaves the last unused). Gradients stand the same way.
inline constexpr std::size_t kStoredOffset = 3, kStoredShape = 4, kStoredNumbers = 11;
// F by rows, then the scales of ScaleRotation.
inline constexpr std::size_t kShapeScale = 9, kShapeNumbers = 12;

// Logarithms are clamped to these: t between 1e-8 and 150 boxes, scales between 1e-4 and 1e4.
inline constexpr float kLeastLogOffset = -18, kMostLogOffset = 5, kMostLogScale = 9.2F;

struct SiteColumns {
  const float* stored = nullptr; // [kStoredNumbers]
  float* form = nullptr;         // [kSiteColumns], in the order of SiteForm
  float* shape = nullptr;        // [kShapeNumbers]
  float* offset = nullptr;       // [1]: t
  float* spread = nullptr;       // [1]: raised to no less than the largest singular value of F
};
void compileSites(FieldShape shape, const SiteColumns& sites);

// gradient [kStoredNumbers] = what the sums [kSiteSums] of the sites amount to; `shape` is from compileSites.
void siteGradients(FieldShape shape, const float* stored, const float* of_shape, const float* sums, float* gradient);

// The definitions.
namespace scalar {
void compileSites(FieldShape shape, const SiteColumns& sites);
void siteGradients(FieldShape shape, const float* stored, const float* of_shape, const float* sums, float* gradient);
} // namespace scalar

} // namespace skincells::kernels
