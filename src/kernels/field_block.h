// Arguments of the field's hot loops, which run on a block of points: bounds over the block, distances to cells,
// weights.
//
// A site's squared distance |F (x - p)|^2 is computed as |L x + b|^2 with L lower triangular and L^T L = F^T F. This
// takes nine multiply-adds per site and point. Ten monomials times a matrix would take as many, but would cancel near
// the site.
//
// Distances are kept squared: h^2 = d^2 + max(t^2 - d^2, 0)^2 / (4 t^2) is the square of the smoothed distance
// h = d >= t ? d : (d^2 / t + t) / 2, and needs neither a branch nor a root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace skincells::kernels {

// Points per block. Larger blocks share more work per cell, but more cells matter in each: on characters with 80 joints
// a block of 32 points has to consider half as many cells again as a block of 16.
inline constexpr std::size_t kBlock = 16;

// One site.
struct SiteForm {
  float l00, l10, l11, l20, l21, l22; // L
  float b0, b1, b2;                   // b
  float t2, k;                        // t^2 and 1 / (4 t^2)
};

struct alignas(64) BlockPoints {
  float x[kBlock], y[kBlock], z[kBlock];
};

// The points' normals, of length 0 .. 1; 0: none.
struct alignas(64) BlockNormals {
  float x[kBlock], y[kBlock], z[kBlock];
};

// How distances depend on normals: that of point x to a site p of cell j is multiplied by
// 1 + k_j max(0, n . (p - x) / |p - x|).
struct FrontView {
  const BlockNormals* normals = nullptr; // nullptr: the factor is 1
  const float* factor = nullptr;         // k by joint
};
// Added to |p - x|^2, so that a point on a site divides by no zero.
inline constexpr float kSmallestSquare = 1e-16F;

struct DistanceBlock {
  const SiteForm* forms = nullptr; // the sites of joint j begin at forms[j * site_count]
  std::size_t site_count = 0;
  std::span<const std::uint32_t> joints = {}; // the cells to measure
  const BlockPoints* points = nullptr;
  FrontView front = {};
  const float* center = nullptr; // 4 numbers by site: p, 0; used with normals

  float* squared = nullptr;     // out, [cell][kBlock]: the smallest squared distance of the cell's sites
  std::int32_t* site = nullptr; // out, [cell][kBlock]: the site that has it; of equal ones, the first
};

inline constexpr std::size_t kJointGroup = 8; // joints side by side in SiteTable
inline constexpr std::size_t kSiteColumns = sizeof(SiteForm) / sizeof(float);

// All sites, transposed so that the joints of a group are side by side: number c of the SiteForm of site s of joint j
// is column[((j / kJointGroup * site_count + s) * kSiteColumns + c) * kJointGroup + j % kJointGroup]. The joints that
// pad the last group have sites far away from all points.
struct SiteTable {
  const float* column = nullptr;
  std::size_t site_count = 0;
  const float* spread = nullptr;    // by joint: a Lipschitz constant of the cell's distance
  const float* falloff = nullptr;   // r by joint
  const float* log_slack = nullptr; // log c by joint
  const float* reach = nullptr;     // by joint: the largest factor that a normal can put on a distance, 1 + k
};

struct Ball {
  float x = 0, y = 0, z = 0, radius = 0; // the radius has to cover rounding errors
};

struct CellBounds {
  SiteTable table = {};
  Ball ball = {};
  std::span<const std::uint16_t> groups = {}; // of joints
  int k = 0;                                  // 0 .. 8
  float* lower = nullptr;                     // out, by joint of the groups
  float* upper = nullptr;                     // out, by joint of the groups
};

// Selects the joints of the groups with value[j] <= max_value and upper[j] > upper_above.
struct CellFilter {
  std::span<const std::uint16_t> groups = {};
  const float* value = nullptr; // by joint
  float max_value = 0;
  const float* upper = nullptr; // by joint, from CellBounds
  float upper_above = 0;
  std::uint32_t* joints = nullptr; // out; needs room for kJointGroup more, whose content is unspecified
};

// Selects the joints of the groups with lower[j] > lower_above, upper[j] > upper_above and a far weight of at least
// min_log_weight. The far weight is the largest log raw weight that a cell can have beyond the reference distance,
// r_j (log c_j - log lower[j]).
struct FarCellFilter {
  SiteTable table = {};
  std::span<const std::uint16_t> groups = {};
  const float* lower = nullptr; // by joint, from CellBounds
  float lower_above = 0;
  const float* upper = nullptr; // by joint, from CellBounds
  float upper_above = 0;
  float min_log_weight = 0;
  std::uint32_t* joints = nullptr; // out; room as in CellFilter
};

inline constexpr float kLogZero = -1e30F; // a finite substitute for log 0

// The cells of a block whose distances were measured. Arrays are [cell][kBlock] unless noted.
struct MeasuredCells {
  std::size_t cells = 0;
  int max_influences = 0;         // K, 1 .. 8
  const float* squared = nullptr; // from DistanceBlock
  float* nearest = nullptr;       // [K + 1][kBlock]: the smallest squared distances so far, ascending

  // D^2 by point: the (K+1)-th smallest squared distance.
  const float* reference2() const { return nearest + static_cast<std::size_t>(max_influences) * kBlock; }
};

// The measured cells that may have weight, and the steps from their distances to weights. Arrays are [cell][kBlock]
// unless noted.
struct WeightBlock {
  std::size_t cells = 0;
  bool cuts = true;                     // false: there are no more than K joints, and raw = d^-r
  float keep_above = 0;                 // weights up to this share of the sum are dropped
  const std::uint32_t* slot = nullptr;  // by cell: its index among the measured cells
  const std::uint32_t* joint = nullptr; // by measured cell
  const float* squared = nullptr;       // [measured cell][kBlock]
  const float* reference2 = nullptr;    // [kBlock]: D^2
  const float* falloff = nullptr;       // r by joint
  const float* slack = nullptr;         // c by joint; 0 gives hard weights

  float* top = nullptr;                  // [kBlock]: the largest log_raw so far; kLogZero if all raw weights are 0
  float* distance = nullptr;             // d
  std::uint32_t* at_reference = nullptr; // by cell: bit i is set if the distance of point i is D
  float* log_raw = nullptr;              // kLogZero if the raw weight is 0
  float* weight = nullptr;               // 0 if dropped; kept weights sum to 1
  std::uint32_t* keep = nullptr;         // by cell: bit i is set if point i keeps the cell
  std::int32_t* kept = nullptr;          // [kBlock]: number of kept cells by point
};

} // namespace skincells::kernels
