// The argument of the field's reverse pass on a block of points: from derivatives in the kept weights to sums per site
// and joint.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/field_block.h"

namespace skincells::kernels {

// Sums of one site, with u = x - p and g = 2 dL/d(d^2): 3 numbers for g u, 1 for dL/d(log t), 6 for g times the
// entries xx, xy, xz, yy, yz, zz of u u^T, and 2 unspecified ones as padding.
inline constexpr std::size_t kSiteSums = 12;
// Sums of one joint: dL/d(log c) and dL/d(log r).
inline constexpr std::size_t kJointSums = 2;
// Sums of one site that only normals give: dL/dp through the direction to the site (3 numbers) and dL/d(log k).
inline constexpr std::size_t kFrontSums = 4;

// An evaluated block, and the destination of its sums. Arrays are [cell][kBlock] unless noted.
struct ReverseBlock {
  const BlockPoints* points = nullptr;
  std::size_t cells = 0;
  const std::uint32_t* joint = nullptr;        // by cell
  const std::uint32_t* keep = nullptr;         // by cell: bit i is set if point i keeps it
  const std::uint32_t* at_reference = nullptr; // by cell: bit i is set if its distance is D; one cell per point
  const float* distance = nullptr;
  const float* log_raw = nullptr;
  const float* weight = nullptr;      // 0 if not kept
  const float* gradient = nullptr;    // dL/d(weight), 0 if not kept
  const std::int32_t* site = nullptr; // the site that realizes the cell's distance
  const float* reference2 = nullptr;  // [kBlock]: D^2

  bool cuts = true; // see WeightBlock
  std::size_t site_count = 0;
  const float* center = nullptr;  // 4 numbers by site: p, 0
  const float* offset = nullptr;  // t by site
  const float* falloff = nullptr; // r by joint
  const float* slack = nullptr;   // c by joint
  FrontView front = {};           // as in DistanceBlock

  float* by_distance = nullptr;      // scratch
  float* inverse_distance = nullptr; // scratch

  // Out. The sums of a joint and of its sites are unspecified unless `touched` is set; the caller clears it.
  float* site_sums = nullptr;
  float* joint_sums = nullptr;
  float* front_sums = nullptr;     // by site; nullptr: there are none, and no normals
  std::uint8_t* touched = nullptr; // by joint
};

// Clears the sums of a joint and its sites at their first use.
inline void touch(const ReverseBlock& block, std::size_t joint) {
  if (block.touched[joint] != 0) return;
  block.touched[joint] = 1;
  const std::size_t per_joint = block.site_count * kSiteSums;
  for (std::size_t i = joint * per_joint; i < (joint + 1) * per_joint; ++i) block.site_sums[i] = 0;
  for (std::size_t i = joint * kJointSums; i < (joint + 1) * kJointSums; ++i) block.joint_sums[i] = 0;
  if (block.front_sums == nullptr) return;
  const std::size_t front = block.site_count * kFrontSums;
  for (std::size_t i = joint * front; i < (joint + 1) * front; ++i) block.front_sums[i] = 0;
}

} // namespace skincells::kernels
