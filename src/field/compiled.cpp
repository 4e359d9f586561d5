#include "field/compiled.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"

namespace skincells::field {
namespace {

// t between 1e-8 and 150 boxes, c between 1e-12 and 150, r between 0.02 and 1000, scales between 1e-4 and 1e4.
float clampedExp(float logarithm, float lo, float hi) {
  return std::exp(std::clamp(logarithm, lo, hi));
}
constexpr float kLeastLogSlack = -28, kMostLogSlack = 5;
constexpr float kMostLogScale = 9.2F;
// Stands for log 0: far below anything a real cell has, and still finite when multiplied by r.
constexpr float kNoLogSlack = -1e30F;
constexpr float kFarAway = 1e15F;

std::array<float, 7> clampedShape(const FieldLayout& layout, const float* stored) {
  std::array<float, 7> out{};
  std::copy_n(stored, layout.shapeSize(), out.begin());
  const auto clamp = [&](std::size_t i) { out[i] = std::clamp(out[i], -kMostLogScale, kMostLogScale); };
  if (layout.shape == FieldShape::Triangular)
    clamp(0), clamp(2), clamp(5);
  else
    clamp(0), clamp(1), clamp(2);
  return out;
}

// No less than the largest singular value of F: exact for scales, min(|L|_F, sqrt(|L|_1 |L|_inf)) for a triangle.
float spreadOf(FieldShape shape, const float* stored, const kernels::SiteForm& f) {
  constexpr float kRounding = 1.00001F;
  if (shape == FieldShape::ScaleRotation) return kRounding * std::exp(std::max({stored[0], stored[1], stored[2]}));
  const float frobenius =
      std::sqrt(f.l00 * f.l00 + f.l10 * f.l10 + f.l11 * f.l11 + f.l20 * f.l20 + f.l21 * f.l21 + f.l22 * f.l22);
  const float a00 = std::abs(f.l00), a10 = std::abs(f.l10), a11 = std::abs(f.l11);
  const float a20 = std::abs(f.l20), a21 = std::abs(f.l21), a22 = std::abs(f.l22);
  const float rows = std::max({a00, a10 + a11, a20 + a21 + a22});
  const float columns = std::max({a00 + a10 + a20, a11 + a21, a22});
  return kRounding * std::min(frobenius, std::sqrt(rows * columns));
}

// L with L^T L = F^T F. In double: the pivots are differences.
void factor(const Matrix3<float>& f, kernels::SiteForm& form) {
  const auto product = [&](int a, int b) {
    double sum = 0;
    for (const auto& row : f.m) sum += static_cast<double>(row[a]) * static_cast<double>(row[b]);
    return sum;
  };
  const double l22 = std::sqrt(product(2, 2));
  const double l20 = product(0, 2) / l22, l21 = product(1, 2) / l22;
  const double l11 = std::sqrt(std::max(product(1, 1) - l21 * l21, 1e-12));
  const double l10 = (product(0, 1) - l20 * l21) / l11;
  const double l00 = std::sqrt(std::max(product(0, 0) - l10 * l10 - l20 * l20, 1e-12));
  form.l00 = static_cast<float>(l00), form.l10 = static_cast<float>(l10), form.l11 = static_cast<float>(l11);
  form.l20 = static_cast<float>(l20), form.l21 = static_cast<float>(l21), form.l22 = static_cast<float>(l22);
}

kernels::SiteForm makeForm(FieldShape shape, const Matrix3<float>& f, const float* p, float t) {
  kernels::SiteForm form{};
  if (shape == FieldShape::Triangular)
    form = {f.m[0][0], f.m[1][0], f.m[1][1], f.m[2][0], f.m[2][1], f.m[2][2], 0, 0, 0, 0, 0};
  else
    factor(f, form);
  const double x = p[0], y = p[1], z = p[2];
  form.b0 = static_cast<float>(-form.l00 * x);
  form.b1 = static_cast<float>(-form.l10 * x - form.l11 * y);
  form.b2 = static_cast<float>(-form.l20 * x - form.l21 * y - form.l22 * z);
  form.t2 = t * t;
  form.k = 0.25F / form.t2;
  return form;
}

void compileJoints(const FieldParameters& parameters, CompiledField& out) {
  const FieldLayout& layout = out.layout;
  const std::size_t padded = out.groupCount() * kernels::kJointGroup;
  out.falloff.assign(padded, 1.0F);
  out.slack.assign(padded, 0.0F);
  out.log_slack.assign(padded, kNoLogSlack);
  out.spread.assign(padded, 0.0F);
  for (std::size_t j = 0; j < layout.joints(); ++j) {
    out.falloff[j] = clampedExp(parameters.values[layout.falloffBegin() + j], -4, 7);
    if (out.mode == FieldMode::Hard) continue;
    out.log_slack[j] = std::clamp(parameters.values[layout.slackBegin() + j], kLeastLogSlack, kMostLogSlack);
    out.slack[j] = std::exp(out.log_slack[j]);
  }
}

// Returns the site's spread.
float compileSite(const FieldParameters& parameters, std::size_t site, CompiledField& out) {
  const FieldLayout& layout = out.layout;
  const float* p = &parameters.values[layout.centreBegin() + 3 * site];
  const auto stored = clampedShape(layout, &parameters.values[layout.shapeBegin() + layout.shapeSize() * site]);
  std::copy_n(p, 3, &out.centre[4 * site]);
  out.shape[site] = shapeMatrix(layout.shape, stored.data());
  out.offset[site] = clampedExp(parameters.values[layout.offsetBegin() + site], -18, 5);
  out.forms[site] = makeForm(layout.shape, out.shape[site], p, out.offset[site]);
  return spreadOf(layout.shape, stored.data(), out.forms[site]);
}

// Compiles the sites of one group of joints and copies their forms into columns; the joints that fill up the last
// group get sites far from everything.
void compileGroup(const FieldParameters& parameters, std::size_t group, CompiledField& out) {
  constexpr std::size_t n = kernels::kJointGroup;
  const std::size_t m = out.layout.sitesPerJoint();
  for (std::size_t s = 0; s < m; ++s) {
    float* columns = out.columns.data() + (group * m + s) * kernels::kSiteColumns * n;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = group * n + i;
      if (j >= out.layout.joints()) {
        columns[6 * n + i] = kFarAway;
        continue;
      }
      out.spread[j] = std::max(out.spread[j], compileSite(parameters, j * m + s, out));
      const kernels::SiteForm& f = out.forms[j * m + s];
      const float values[] = {f.l00, f.l10, f.l11, f.l20, f.l21, f.l22, f.b0, f.b1, f.b2, f.t2, f.k};
      for (std::size_t c = 0; c < kernels::kSiteColumns; ++c) columns[c * n + i] = values[c];
    }
  }
}

} // namespace

kernels::SiteTable CompiledField::table() const {
  return {columns.data(), layout.sitesPerJoint(), spread.data(), falloff.data(), log_slack.data()};
}

CompiledField compile(const FieldParameters& parameters, FieldMode mode) {
  CompiledField out;
  out.layout = parameters.layout;
  out.mode = mode;
  out.max_influences = parameters.max_influences;
  const std::size_t sites = out.layout.sites(), groups = out.groupCount();
  out.forms.resize(sites), out.offset.resize(sites), out.shape.resize(sites), out.centre.resize(4 * sites);
  out.columns.resize(groups * out.layout.sitesPerJoint() * kernels::kSiteColumns * kernels::kJointGroup);
  compileJoints(parameters, out);
  parallelChunks(groups, 2, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t group = begin; group < end; ++group) compileGroup(parameters, group, out);
  });
  return out;
}

namespace {

// The parameters of one site from its sums: dL/dp = -F^T F sum(g u), dL/dF = F sum(g u u^T).
void gradientOfSite(const CompiledField& field, const FieldParameters& parameters, std::size_t site, const float* sums,
                    std::span<float> gradient) {
  const FieldLayout& layout = field.layout;
  const Matrix3<float>& f = field.shape[site];
  const Vec3f by_centre = f.transposeTimes(f * Vec3f{sums[0], sums[1], sums[2]});
  float* centre = &gradient[layout.centreBegin() + 3 * site];
  centre[0] = -by_centre.x, centre[1] = -by_centre.y, centre[2] = -by_centre.z;
  gradient[layout.offsetBegin() + site] = sums[3];

  const auto moment = [sums](int c, int b) { return sums[4 + 4 * c + b]; };
  Matrix3<float> df;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 3; ++c) df.m[a][b] += f.m[a][c] * moment(c, b);
  const std::size_t at = layout.shapeBegin() + layout.shapeSize() * site;
  std::fill_n(&gradient[at], layout.shapeSize(), 0.0F);
  addShapeGradient(layout.shape, &parameters.values[at], f, df, &gradient[at]);
}

} // namespace

void gradientFromSums(const CompiledField& field, const FieldParameters& parameters, std::size_t j,
                      const float* site_sums, const float* joint_sums, std::span<float> gradient) {
  const FieldLayout& layout = field.layout;
  const std::size_t m = layout.sitesPerJoint();
  SKINCELLS_ASSERT(gradient.size() == layout.size());
  for (std::size_t s = 0; s < m; ++s)
    gradientOfSite(field, parameters, j * m + s, site_sums + s * kernels::kSiteSums, gradient);
  gradient[layout.slackBegin() + j] = joint_sums[0];
  gradient[layout.falloffBegin() + j] = joint_sums[1];
}

} // namespace skincells::field
