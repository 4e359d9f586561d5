// A field made ready for fast evaluation: everything that depends on the parameters alone, computed once per step.
#pragma once

#include <span>
#include <vector>

#include "field/mode.h"
#include "kernels/field_block.h"
#include "kernels/field_sites.h"
#include "skincells/field.h"

namespace skincells::field {

struct CompiledField {
  FieldLayout layout;
  FieldMode mode = FieldMode::Relaxed;
  int max_influences = 4;

  std::vector<kernels::SiteForm> forms; // by site
  std::vector<float> offset;            // t by site
  std::vector<float> center;            // p by site, 4 each, the last of them 0
  // By joint, filled up to whole groups.
  std::vector<float> falloff, slack, log_slack, spread;
  // By group of joints and site: kernels::kJointGroup columns of the forms' numbers (see kernels::SiteTable), of what
  // was stored, and of the shapes (see kernels/field_sites.h).
  std::vector<float> columns, stored, shapes;

  bool cuts() const { return layout.joint_count > max_influences; }
  std::size_t groupCount() const { return (layout.joints() + kernels::kJointGroup - 1) / kernels::kJointGroup; }
  kernels::SiteTable table() const;
};

// Logarithms are clamped to ranges (kernels/field_sites.h; c between 1e-12 and 150, r between 0.02 and 1000) in which
// float32 neither overflows nor loses the cell. `out` may hold another field; what it has allocated is used again.
void compile(const FieldParameters& parameters, FieldMode mode, CompiledField& out);
CompiledField compile(const FieldParameters& parameters, FieldMode mode);

// Writes the numbers of a group's joints to `gradient` (layout.size() numbers): what the sums of their sites
// (kernels::kSiteSums each) and their own (kernels::kJointSums) amount to. Both begin with the group's first joint.
void gradientFromSums(const CompiledField& field, std::size_t group, const float* site_sums, const float* joint_sums,
                      std::span<float> gradient);

} // namespace skincells::field
