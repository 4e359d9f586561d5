// A field made ready for fast evaluation: everything that depends on the parameters alone, computed once per step.
#pragma once

#include <span>
#include <vector>

#include "field/mode.h"
#include "field/site_shape.h"
#include "kernels/field_block.h"
#include "skincells/field.h"

namespace skincells::field {

// What the reverse pass gathers for one site before it is turned into parameters. With u = x - p and
// g = 2 dL/d(d^2): the sums of g u, of g u u^T (xx, yy, zz, xy, xz, yz) and of dL/d(log t).
inline constexpr std::size_t kSiteSums = 10;
// For one joint: the sums of dL/d(log c) and dL/d(log r), after those of its sites.
inline constexpr std::size_t kJointSums = 2;

struct CompiledField {
  FieldLayout layout;
  FieldMode mode = FieldMode::Relaxed;
  int max_influences = 4;

  std::vector<kernels::SiteForm> forms;         // by site
  std::vector<float> columns;                   // the same turned around, see kernels::SiteTable
  std::vector<float> offset;                    // t by site
  std::vector<float> centre;                    // p by site, 3 each
  std::vector<float> falloff, slack, log_slack; // by joint, padded to `stride`
  std::size_t stride = 0;
  std::vector<Matrix3<float>> shape; // F by site

  bool cuts() const { return layout.joint_count > max_influences; }
  std::size_t sumsPerJoint() const { return layout.sitesPerJoint() * kSiteSums + kJointSums; }
  kernels::SiteTable table() const;
};

// Logarithms are clamped to ranges (documented in the source) in which float32 neither overflows nor loses the cell.
CompiledField compile(const FieldParameters& parameters, FieldMode mode);

// gradient (parameters.values.size() numbers) = the derivative that the sums of all joints amount to;
// `sums` holds sumsPerJoint() numbers per joint: its sites' sums, then log c, then log r.
void gradientFromSums(const CompiledField& field, const FieldParameters& parameters, std::span<const float> sums,
                      std::span<float> gradient);

} // namespace skincells::field
