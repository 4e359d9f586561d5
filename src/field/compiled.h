// A field made ready for fast evaluation: everything that depends on the parameters alone, computed once per step.
#pragma once

#include <span>
#include <vector>

#include "field/mode.h"
#include "field/site_shape.h"
#include "kernels/field_block.h"
#include "kernels/field_reverse.h"
#include "skincells/field.h"

namespace skincells::field {

struct CompiledField {
  FieldLayout layout;
  FieldMode mode = FieldMode::Relaxed;
  int max_influences = 4;

  std::vector<kernels::SiteForm> forms; // by site
  std::vector<float> columns;           // the same turned around, see kernels::SiteTable
  std::vector<float> offset;            // t by site
  std::vector<float> centre;            // p by site, 4 each, the last of them 0
  // By joint, filled up to whole groups.
  std::vector<float> falloff, slack, log_slack, spread;
  std::vector<Matrix3<float>> shape; // F by site

  bool cuts() const { return layout.joint_count > max_influences; }
  std::size_t groupCount() const { return (layout.joints() + kernels::kJointGroup - 1) / kernels::kJointGroup; }
  kernels::SiteTable table() const;
};

// Logarithms are clamped to ranges (documented in the source) in which float32 neither overflows nor loses the cell.
CompiledField compile(const FieldParameters& parameters, FieldMode mode);

// Writes the numbers of joint j to `gradient` (parameters.values.size() numbers): what the sums of its sites
// (kernels::kSiteSums each) and its own (kernels::kJointSums) amount to.
void gradientFromSums(const CompiledField& field, const FieldParameters& parameters, std::size_t j,
                      const float* site_sums, const float* joint_sums, std::span<float> gradient);

} // namespace skincells::field
