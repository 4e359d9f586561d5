#include "field/compiled.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "kernels/kernels.h"

namespace skincells::field {
namespace {

constexpr std::size_t kGroup = kernels::kJointGroup;
constexpr float kMinLogSlack = -28, kMaxLogSlack = 5, kMinLogFalloff = -4, kMaxLogFalloff = 7;
constexpr float kMinLogFront = -9, kMaxLogFront = 4;
constexpr float kPaddingDistance = 1e15F; // of the joints that pad the last group

void compileJoints(const FieldParameters& parameters, CompiledField& out) {
  const FieldLayout& layout = out.layout;
  const std::size_t padded = out.groupCount() * kGroup;
  out.falloff.assign(padded, 1.0F);
  out.slack.assign(padded, 0.0F);
  out.log_slack.assign(padded, kernels::kLogZero); // still finite after multiplication by r
  out.spread.assign(padded, 0.0F);
  out.front.assign(padded, 0.0F);
  out.reach.assign(padded, 1.0F);
  for (std::size_t j = 0; j < layout.joints(); ++j) {
    const float log_falloff = parameters.values[layout.falloffBegin() + j];
    out.falloff[j] = std::exp(std::clamp(log_falloff, kMinLogFalloff, kMaxLogFalloff));
    if (layout.normals) {
      out.front[j] = std::exp(std::clamp(parameters.values[layout.frontBegin() + j], kMinLogFront, kMaxLogFront));
      out.reach[j] = 1 + out.front[j];
    }
    if (out.mode == FieldMode::Hard) continue;
    out.log_slack[j] = std::clamp(parameters.values[layout.slackBegin() + j], kMinLogSlack, kMaxLogSlack);
    out.slack[j] = std::exp(out.log_slack[j]);
  }
}

// Calls body(index in the parameters, index in kernels::SiteColumns::stored) for each stored number of a site.
template <class Body> void forEachStored(const FieldLayout& layout, std::size_t site, const Body& body) {
  for (std::size_t c = 0; c < 3; ++c) body(layout.centerBegin() + 3 * site + c, c);
  body(layout.offsetBegin() + site, kernels::kStoredOffset);
  for (std::size_t c = 0; c < layout.shapeSize(); ++c)
    body(layout.shapeBegin() + layout.shapeSize() * site + c, kernels::kStoredShape + c);
}

// Compiles site s of each joint of the group. The joints that pad the last group get sites far away from all points.
void compileSites(const FieldParameters& parameters, std::size_t group, std::size_t s, CompiledField& out) {
  const std::size_t m = out.layout.sitesPerJoint(), first = group * kGroup, at = (group * m + s) * kGroup;
  const std::size_t joints = std::min(kGroup, out.layout.joints() - first);
  float* stored = out.stored.data() + at * kernels::kStoredNumbers;
  float* columns = out.columns.data() + at * kernels::kSiteColumns;
  for (std::size_t i = 0; i < joints; ++i)
    forEachStored(out.layout, (first + i) * m + s,
                  [&](std::size_t from, std::size_t c) { stored[c * kGroup + i] = parameters.values[from]; });
  float offset[kGroup];
  kernels::active().compileSites({.triangular = out.layout.shape == FieldShape::Triangular,
                                  .stored = stored,
                                  .form = columns,
                                  .shape = out.shapes.data() + at * kernels::kShapeNumbers,
                                  .offset = offset,
                                  .spread = out.spread.data() + first});
  for (std::size_t i = joints; i < kGroup; ++i) columns[6 * kGroup + i] = kPaddingDistance; // b0
  for (std::size_t i = 0; i < joints; ++i) {
    const std::size_t site = (first + i) * m + s;
    const auto at_column = [&](std::size_t c) { return columns[c * kGroup + i]; };
    out.forms[site] = {at_column(0), at_column(1), at_column(2), at_column(3), at_column(4), at_column(5),
                       at_column(6), at_column(7), at_column(8), at_column(9), at_column(10)};
    for (std::size_t c = 0; c < 3; ++c) out.center[4 * site + c] = stored[c * kGroup + i];
    out.offset[site] = offset[i];
  }
}

// Adds the part of the centers' derivative that only normals give, and writes that of log k.
void addFrontSums(const FieldLayout& layout, std::size_t first, std::size_t joints, const float* front_sums,
                  std::span<float> gradient) {
  const std::size_t m = layout.sitesPerJoint();
  for (std::size_t i = 0; i < joints; ++i) {
    float by_front = 0;
    for (std::size_t s = i * m; s < (i + 1) * m; ++s, front_sums += kernels::kFrontSums) {
      for (std::size_t c = 0; c < 3; ++c) gradient[layout.centerBegin() + 3 * (first * m + s) + c] += front_sums[c];
      by_front += front_sums[3];
    }
    gradient[layout.frontBegin() + first + i] = by_front;
  }
}

} // namespace

kernels::SiteTable CompiledField::table() const {
  return {columns.data(), layout.sitesPerJoint(), spread.data(), falloff.data(), log_slack.data(), reach.data()};
}

void compile(const FieldParameters& parameters, FieldMode mode, CompiledField& out) {
  out.layout = parameters.layout;
  out.mode = mode;
  out.max_influences = parameters.max_influences;
  const std::size_t sites = out.layout.sites(), m = out.layout.sitesPerJoint(), groups = out.groupCount();
  out.forms.resize(sites);
  out.offset.resize(sites);
  out.center.resize(4 * sites);
  const std::size_t rows = groups * m * kGroup;
  if (out.columns.size() != rows * kernels::kSiteColumns) {
    out.columns.resize(rows * kernels::kSiteColumns);
    out.shapes.resize(rows * kernels::kShapeNumbers);
    out.stored.assign(rows * kernels::kStoredNumbers, 0.0F);
  }
  compileJoints(parameters, out);
  parallelChunks(groups, 8, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t group = begin; group < end; ++group)
      for (std::size_t s = 0; s < m; ++s) compileSites(parameters, group, s, out);
  });
}

CompiledField compile(const FieldParameters& parameters, FieldMode mode) {
  CompiledField out;
  compile(parameters, mode, out);
  return out;
}

void gradientFromSums(const CompiledField& field, std::size_t group, const float* site_sums, const float* joint_sums,
                      const float* front_sums, std::span<float> gradient) {
  const FieldLayout& layout = field.layout;
  const std::size_t m = layout.sitesPerJoint(), first = group * kGroup;
  const std::size_t joints = std::min(kGroup, layout.joints() - first);
  SKINCELLS_ASSERT(gradient.size() == layout.size());
  float sums[kernels::kSiteSums * kGroup] = {}, by_stored[kernels::kStoredNumbers * kGroup];
  for (std::size_t s = 0; s < m; ++s) {
    const std::size_t at = (group * m + s) * kGroup;
    for (std::size_t i = 0; i < joints; ++i)
      for (std::size_t c = 0; c < kernels::kSiteSums; ++c)
        sums[c * kGroup + i] = site_sums[(i * m + s) * kernels::kSiteSums + c];
    kernels::active().siteGradients({.triangular = layout.shape == FieldShape::Triangular,
                                     .stored = field.stored.data() + at * kernels::kStoredNumbers,
                                     .shape = field.shapes.data() + at * kernels::kShapeNumbers,
                                     .sums = sums,
                                     .gradient = by_stored});
    for (std::size_t i = 0; i < joints; ++i)
      forEachStored(layout, (first + i) * m + s,
                    [&](std::size_t to, std::size_t c) { gradient[to] = by_stored[c * kGroup + i]; });
  }
  for (std::size_t i = 0; i < joints; ++i) {
    gradient[layout.slackBegin() + first + i] = joint_sums[i * kernels::kJointSums];
    gradient[layout.falloffBegin() + first + i] = joint_sums[i * kernels::kJointSums + 1];
  }
  if (layout.normals) addFrontSums(layout, first, joints, front_sums, gradient);
}

} // namespace skincells::field
