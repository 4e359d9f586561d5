// A field prepared for fast evaluation: everything that depends only on the parameters, computed once per step.
#pragma once

#include <span>
#include <vector>

#include "field/reference.h"
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
  std::vector<float> center;            // p by site, 4 numbers each, the last one 0
  // By joint, padded to whole groups.
  std::vector<float> falloff, slack, log_slack, spread, front, reach; // front: k, 0 without normals; reach: 1 + k
  // By group of joints and site, kernels::kJointGroup columns each: the numbers of the forms (see kernels::SiteTable),
  // the stored numbers and the shapes (see kernels::SiteColumns).
  std::vector<float> columns, stored, shapes;

  bool cuts() const { return layout.joint_count > max_influences; }
  std::size_t groupCount() const { return (layout.joints() + kernels::kJointGroup - 1) / kernels::kJointGroup; }
  kernels::SiteTable table() const;
  // How distances depend on the normals of a block; nullptr: it has none.
  kernels::FrontView frontView(const kernels::BlockNormals* normals) const {
    return {layout.normals ? normals : nullptr, front.data()};
  }
};

// Logarithms are clamped to ranges (kernels/field_sites.h; c between 1e-12 and 150, r between 0.02 and 1000, k
// between 1e-4 and 50) in which float32 neither overflows nor loses the cell. `out` may hold another field, whose
// memory is reused.
void compile(const FieldParameters& parameters, FieldMode mode, CompiledField& out);
CompiledField compile(const FieldParameters& parameters, FieldMode mode);

// Writes the entries of a group's joints in `gradient` (layout.size() numbers). Both kinds of sums begin with the
// group's first joint: kernels::kSiteSums numbers per site, kernels::kJointSums numbers per joint, and, if the field
// sees normals, kernels::kFrontSums numbers per site.
void gradientFromSums(const CompiledField& field, std::size_t group, const float* site_sums, const float* joint_sums,
                      const float* front_sums, std::span<float> gradient);

} // namespace skincells::field
