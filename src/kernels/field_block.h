// The hot loops of the field, on a block of points: bounds over the block, distances to cells, weights.
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

// Points per block. Larger blocks share more work per cell, but more cells matter in each: on characters of 80 joints
// blocks of 32 points have to look at half as many cells again as blocks of 16.
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

// squared[a * kBlock + i] = the smallest h^2 of the sites of joints[a] at point i; site[...] = that site (ties: the
// first). The sites of joint j are forms[j * site_count] and following.
void cellDistances(const SiteForm* forms, std::size_t site_count, std::span<const std::uint32_t> joints,
                   const BlockPoints& points, float* squared, std::int32_t* site);

inline constexpr std::size_t kJointGroup = 8; // joints side by side in SiteTable
inline constexpr std::size_t kSiteColumns = sizeof(SiteForm) / sizeof(float);

// All sites, turned so that the joints of a group stand side by side: number c of the SiteForm of site s of joint j is
// column[((j / kJointGroup * site_count + s) * kSiteColumns + c) * kJointGroup + j % kJointGroup]. Joints that fill up
// the last group have sites far from everything.
struct SiteTable {
  const float* column = nullptr;
  std::size_t site_count = 0;
  const float* spread = nullptr;    // by joint: a cell's distance changes by no more than this per length
  const float* falloff = nullptr;   // r by joint
  const float* log_slack = nullptr; // log c by joint
};

struct Ball {
  float x = 0, y = 0, z = 0, radius = 0;
};

// For the joints of the given groups and every point of the ball: lower[j] <= distance of the cell <= upper[j] (up to
// rounding, which the caller's radius has to cover). Returns a distance that at least k + 1 of those cells do not
// exceed anywhere in the ball, infinity where they are fewer; 0 <= k <= 8.
float cellBounds(const SiteTable& table, const Ball& ball, std::span<const std::uint16_t> groups, int k, float* lower,
                 float* upper);

// Writes the joints of the given groups for which value[j] <= most and other[j] > above, ascending within the order of
// the groups; returns their number. `joints` needs room for kJointGroup more, which means nothing afterwards.
std::size_t listCells(std::span<const std::uint16_t> groups, const float* value, float most, const float* other,
                      float above, std::uint32_t* joints);

inline constexpr float kNoRaw = -1e30F; // stands for log 0

// A cell beyond the reference distance has the log raw weight r (log c - log d), which is at most
// r_j (log c_j - log lower[j]). Writes the joints of the given groups for which that is no less than `needed`, and
// lower[j] > above and upper[j] > upper_above; returns their number. Room as for listCells.
std::size_t listFarCells(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower, float above,
                         const float* upper, float upper_above, float needed, std::uint32_t* joints);
// The largest of those bounds; kNoRaw without groups.
float largestFarWeight(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower);

// The cells of a block whose distances were measured. Arrays are [cell][kBlock] unless said otherwise.
struct MeasuredCells {
  std::size_t cells = 0;
  int max_influences = 0;         // K, 1 .. 8
  const float* squared = nullptr; // from cellDistances
  float* nearest = nullptr;       // [K + 1][kBlock]: the smallest squared distances so far, ascending

  // D^2 by point: the (K+1)-th smallest squared distance.
  const float* reference2() const { return nearest + static_cast<std::size_t>(max_influences) * kBlock; }
};

// Takes the cells from `first_cell` on into `nearest`; from 0 on it starts afresh. Returns the largest D^2.
float nearestDistances(const MeasuredCells& measured, std::size_t first_cell);
// Splits the cells into those whose distance is at most D at some point, and the others, both ascending; returns the
// number of the first. Each list needs room for all.
std::size_t splitByReference(const MeasuredCells& measured, std::uint32_t* near, std::uint32_t* far);

// Those of the measured cells that may weigh something, on their way from distances to weights. Arrays are
// [cell][kBlock] unless said otherwise.
struct WeightBlock {
  std::size_t cells = 0;
  bool cuts = true;                     // false: no more than K joints exist, raw = d^-r
  float keep_above = 0;                 // weights up to this share of the sum are left out
  const std::uint32_t* slot = nullptr;  // by cell: which of the measured ones
  const std::uint32_t* joint = nullptr; // by measured cell
  const float* squared = nullptr;       // [measured cell][kBlock]
  const float* reference2 = nullptr;    // [kBlock]: D^2
  const float* falloff = nullptr;       // r by joint
  const float* slack = nullptr;         // c by joint; 0 gives hard weights

  float* top = nullptr;                  // [kBlock]: the largest log_raw so far; kNoRaw where all raw weights are 0
  float* distance = nullptr;             // d
  std::uint32_t* at_reference = nullptr; // by cell: bit i is set where the distance of point i is D
  float* log_raw = nullptr;              // kNoRaw where the raw weight is 0
  float* weight = nullptr;               // 0 where not kept; kept weights sum to 1
  std::uint32_t* keep = nullptr;         // by cell: bit i is set where point i keeps the cell
  std::int32_t* kept = nullptr;          // [kBlock]: kept cells by point
};

// For the cells from `first_cell` on: distance, at_reference and log_raw = r log(max(c, D - d) / d); raises `top`, from
// 0 on afresh. Returns the smallest `top`.
float logRawWeights(const WeightBlock& block, std::size_t first_cell);
// weight = softmax(log_raw), keep and kept. Raw weights of no more than keep_above of the largest count as 0. Where
// `top` is kNoRaw they mean nothing.
void softmaxWeights(const WeightBlock& block);

// The definitions.
namespace scalar {
void cellDistances(const SiteForm* forms, std::size_t site_count, std::span<const std::uint32_t> joints,
                   const BlockPoints& points, float* squared, std::int32_t* site);
float cellBounds(const SiteTable& table, const Ball& ball, std::span<const std::uint16_t> groups, int k, float* lower,
                 float* upper);
std::size_t listCells(std::span<const std::uint16_t> groups, const float* value, float most, const float* other,
                      float above, std::uint32_t* joints);
std::size_t listFarCells(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower, float above,
                         const float* upper, float upper_above, float needed, std::uint32_t* joints);
float largestFarWeight(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower);
float nearestDistances(const MeasuredCells& measured, std::size_t first_cell);
std::size_t splitByReference(const MeasuredCells& measured, std::uint32_t* near, std::uint32_t* far);
float logRawWeights(const WeightBlock& block, std::size_t first_cell);
void softmaxWeights(const WeightBlock& block);
} // namespace scalar

} // namespace skincells::kernels
