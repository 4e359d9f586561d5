// The hot loops of the field, on a block of points: distances to cells, bounds over the block, weights.
//
// A site's squared distance |F (x - p)|^2 is computed as |L x + b|^2 with L lower triangular, L^T L = F^T F. That is
// nine multiply-adds per site and point, as many as ten monomials times a matrix would take, but without their
// cancellation near the site.
//
// Distances are kept squared: h^2 = d^2 + max(t^2 - d^2, 0)^2 / (4 t^2) is the square of the smoothed distance
// h = d >= t ? d : (d^2 / t + t) / 2, and needs neither branch nor root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace skincells::kernels {

inline constexpr std::size_t kBlock = 32; // points per block: one bit each in a 32-bit mask

// One site.
struct SiteForm {
  float l00, l10, l11, l20, l21, l22; // L
  float b0, b1, b2;                   // b
  float t2, k;                        // t^2 and 1 / (4 t^2)
  float spread;                       // no less than the largest singular value of L
};

struct alignas(64) BlockPoints {
  float x[kBlock], y[kBlock], z[kBlock];
};

// Cells that can matter in a block: cell a has the sites site[begin[a]] .. site[begin[a + 1] - 1].
struct CellList {
  std::span<const std::uint32_t> begin; // one more than there are cells
  std::span<const std::uint32_t> site;

  std::size_t size() const { return begin.size() - 1; }
};

// squared[a * kBlock + i] = the smallest h^2 of cell a's listed sites at point i; site[...] = that site (ties: the
// first listed).
void cellDistances(const SiteForm* forms, const CellList& cells, const BlockPoints& points, float* squared,
                   std::int32_t* site);

inline constexpr std::size_t kJointLanes = 16; // joints are padded to a multiple of this in SiteTable
inline constexpr std::size_t kSiteColumns = sizeof(SiteForm) / sizeof(float);

// All sites, turned so that joints stand side by side: column c of SiteForm for site s of joint j is
// column[(c * site_count + s) * stride + j]. Joints beyond the last have sites far from everything.
struct SiteTable {
  const float* column = nullptr;
  std::size_t stride = 0; // joints, padded to kJointLanes
  std::size_t site_count = 0;
  const float* falloff = nullptr;   // r by joint, padded with 1
  const float* log_slack = nullptr; // log c by joint, padded
};

struct Ball {
  float x = 0, y = 0, z = 0, radius = 0;
};

// For every point of the ball: site_lower2[s * stride + j] <= h^2 of the site, lower2[j] <= h^2 of the cell
// <= upper2[j] (up to rounding, which the caller's radius has to cover), and far_log_raw[j] =
// r_j (log c_j - log lower_j) is no less than the log raw weight of a cell beyond the reference distance.
void cellBounds(const SiteTable& table, const Ball& ball, float* site_lower2, float* lower2, float* upper2,
                float* far_log_raw);

// A block's cells on their way from distances to weights. Arrays are [cell][kBlock] unless said otherwise.
struct WeightBlock {
  std::size_t cells = 0;
  int max_influences = 0;         // K, 1 .. 8
  bool cuts = true;               // false: no more than K joints exist, raw = d^-r
  float keep_above = 0;           // weights up to this share of the sum are left out
  const float* squared = nullptr; // from cellDistances
  const float* falloff = nullptr; // r by cell
  const float* slack = nullptr;   // c by cell; 0 gives hard weights

  float* reference2 = nullptr;           // [kBlock]: D^2
  float* top = nullptr;                  // [kBlock]: the largest log_raw so far; kNoRaw where all raw weights are 0
  float* log_raw = nullptr;              // kNoRaw where the raw weight is 0
  std::uint32_t* at_reference = nullptr; // by cell: bit i is set where the cell's distance is D at point i
  float* weight = nullptr;               // kept weights sum to 1
  std::uint32_t* keep = nullptr;         // by cell: bit i is set where point i keeps the cell
};

inline constexpr float kNoRaw = -1e30F;

// reference2[i] = the (K+1)-th smallest squared distance at point i; top[i] = kNoRaw.
void referenceDistances(const WeightBlock& block);
// For the cells from `first_cell` on: log_raw = r log(max(c, D - d) / d) and at_reference; raises `top`.
void logRawWeights(const WeightBlock& block, std::size_t first_cell);
// weight = softmax(log_raw) and keep. Where `top` is kNoRaw they mean nothing.
void softmaxWeights(const WeightBlock& block);

// The definitions.
namespace scalar {
void cellDistances(const SiteForm* forms, const CellList& cells, const BlockPoints& points, float* squared,
                   std::int32_t* site);
void cellBounds(const SiteTable& table, const Ball& ball, float* site_lower2, float* lower2, float* upper2,
                float* far_log_raw);
void referenceDistances(const WeightBlock& block);
void logRawWeights(const WeightBlock& block, std::size_t first_cell);
void softmaxWeights(const WeightBlock& block);
} // namespace scalar

} // namespace skincells::kernels
