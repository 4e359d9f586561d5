// Arguments of the loops that turn stored parameters of sites into what the field's loops read, and sums of
// derivatives into gradients of the stored parameters. Each call handles one site of each joint of a group: number c of
// joint i of the group is at [c * kJointGroup + i].
#pragma once

#include "kernels/field_block.h"
#include "kernels/field_reverse.h"

namespace skincells::kernels {

// Stored numbers of a site: center, log t, shape (a triangular shape leaves the last one unused). Gradients have the
// same layout.
inline constexpr std::size_t kStoredOffset = 3, kStoredShape = 4, kStoredNumbers = 11;
// F by rows, then the scales of a shape stored as scale and rotation.
inline constexpr std::size_t kShapeScale = 9, kShapeNumbers = 12;

// Logarithms are clamped to these ranges: t between 1e-8 and 150 unit boxes, scales between 1e-4 and 1e4.
inline constexpr float kMinLogOffset = -18, kMaxLogOffset = 5, kMaxLogScale = 9.2F;

struct SiteColumns {
  bool triangular = false;       // the shape is stored as a triangle, not as scale and rotation
  const float* stored = nullptr; // [kStoredNumbers]
  float* form = nullptr;         // out, [kSiteColumns], in the order of SiteForm
  float* shape = nullptr;        // out, [kShapeNumbers]
  float* offset = nullptr;       // out, [1]: t
  float* spread = nullptr;       // in and out, [1]: raised to at least the largest singular value of F
};

struct SiteGradients {
  bool triangular = false;       // see SiteColumns
  const float* stored = nullptr; // [kStoredNumbers]
  const float* shape = nullptr;  // [kShapeNumbers], from SiteColumns
  const float* sums = nullptr;   // [kSiteSums]
  float* gradient = nullptr;     // out, [kStoredNumbers]
};

} // namespace skincells::kernels
