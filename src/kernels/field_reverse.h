// The reverse pass of the field on a block of points: from derivatives in the kept weights to sums per site and joint.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/field_block.h"

namespace skincells::kernels {

// Sums of one site, with u = x - p and g = 2 dL/d(d^2): of g u, dL/d(log t), and g times the xx, xy, xz, yy, yz and zz
// of u u^T; the last two numbers mean nothing.
inline constexpr std::size_t kSiteSums = 12;
// Sums of one joint: of dL/d(log c) and dL/d(log r).
inline constexpr std::size_t kJointSums = 2;

// A block that was evaluated, and where its sums go. Arrays are [cell][kBlock] unless said otherwise.
struct ReverseBlock {
  const BlockPoints* points = nullptr;
  std::size_t cells = 0;
  const std::uint32_t* joint = nullptr;        // by cell
  const std::uint32_t* keep = nullptr;         // by cell: bit i is set where point i keeps it
  const std::uint32_t* at_reference = nullptr; // by cell: bit i is set where its distance is D; one cell per point
  const float* distance = nullptr;
  const float* log_raw = nullptr;
  const float* weight = nullptr;      // 0 where not kept
  const float* gradient = nullptr;    // dL/d(weight), 0 where not kept
  const std::int32_t* site = nullptr; // the one that realizes the cell's distance
  const float* reference2 = nullptr;  // [kBlock]: D^2

  bool cuts = true; // see WeightBlock
  std::size_t site_count = 0;
  const float* center = nullptr;  // 4 by site: p, 0
  const float* offset = nullptr;  // t by site
  const float* falloff = nullptr; // r by joint
  const float* slack = nullptr;   // c by joint

  float* by_distance = nullptr;      // scratch
  float* inverse_distance = nullptr; // scratch

  // Out. The sums of a joint and of its sites mean something only where `touched` was set; the caller clears it.
  float* site_sums = nullptr;
  float* joint_sums = nullptr;
  std::uint8_t* touched = nullptr; // by joint
};

void reverseBlock(const ReverseBlock& block);

// Clears the sums of a joint and its sites when they are needed for the first time.
inline void touch(const ReverseBlock& block, std::size_t joint) {
  if (block.touched[joint] != 0) return;
  block.touched[joint] = 1;
  const std::size_t per_joint = block.site_count * kSiteSums;
  for (std::size_t i = joint * per_joint; i < (joint + 1) * per_joint; ++i) block.site_sums[i] = 0;
  for (std::size_t i = joint * kJointSums; i < (joint + 1) * kJointSums; ++i) block.joint_sums[i] = 0;
}

// The definition.
namespace scalar {
void reverseBlock(const ReverseBlock& block);
} // namespace scalar

} // namespace skincells::kernels
