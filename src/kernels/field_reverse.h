// The reverse pass of the field: from derivatives in the kept weights to sums per site and joint.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skincells::kernels {

// One kept weight; see SlopeBlock.
struct EntryTrace {
  float log_raw;
  float inverse_distance, by_distance, by_reference;
  std::uint32_t site; // the one that realises the cell's distance
};

// The cell that realises the reference distance D of a point.
struct ReferenceTrace {
  float inverse_distance;
  std::uint32_t site; // kNoSite: the point's weights do not depend on the parameters
  std::uint16_t joint;
};
inline constexpr std::uint32_t kNoSite = 0xFFFFFFFFU;

// Sums of one site, with u = x - p and g = 2 dL/d(d^2): of (g u, dL/d(log t)), g u_x u, g u_y u and g u_z u, four
// numbers each, the last of the latter three unused.
inline constexpr std::size_t kSiteSums = 16;
// Sums of one joint: of dL/d(log c) and dL/d(log r).
inline constexpr std::size_t kJointSums = 2;

// A run of points; the entries of one follow those of the one before.
struct ReverseRun {
  std::size_t points = 0;
  const float* position = nullptr;      // 4 by point: x, y, z, 0
  const std::uint32_t* count = nullptr; // entries by point
  const ReferenceTrace* reference = nullptr;
  const std::uint16_t* joint = nullptr; // by entry
  const float* weight = nullptr;
  const EntryTrace* trace = nullptr;
  const float* gradient = nullptr; // dL/d(weight)

  bool cuts = true; // see WeightBlock
  std::size_t site_count = 0;
  const float* centre = nullptr;  // 4 by site: p, 0
  const float* offset = nullptr;  // t by site
  const float* falloff = nullptr; // r by joint

  // Out. The sums of a joint and of its sites mean something only where `touched` was set; the caller clears it.
  float* site_sums = nullptr;
  float* joint_sums = nullptr;
  std::uint8_t* touched = nullptr; // by joint
};

void reverseRun(const ReverseRun& run);

// The definition.
namespace scalar {
void reverseRun(const ReverseRun& run);
} // namespace scalar

} // namespace skincells::kernels
