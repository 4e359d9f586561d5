// The definitions of the loops over sites that run once per step.
#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/parts.h"
#include "kernels/site_shape.h"

namespace skincells::kernels::scalar {
namespace {

constexpr float kRounding = 1.00001F;

struct Shape {
  Matrix3<float> f;
  float scale[3] = {1, 1, 1};
};

// Clamps the stored logarithms, then computes F and the scales.
Shape shapeOf(bool triangular, float* stored) {
  const auto clamp = [&](std::size_t i) { stored[i] = std::clamp(stored[i], -kMaxLogScale, kMaxLogScale); };
  Shape out;
  if (triangular) {
    for (std::size_t i : {0U, 2U, 5U}) clamp(i);
    out.f = triangularShape(stored);
    return out;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    clamp(i);
    out.scale[i] = std::exp(stored[i]);
  }
  out.f = scaleRotationShape(stored);
  return out;
}

// An upper bound of the largest singular value of a triangle: min(|L|_F, sqrt(|L|_1 |L|_inf)).
float spreadOf(const SiteForm& f) {
  const float frobenius =
      std::sqrt(f.l00 * f.l00 + f.l10 * f.l10 + f.l11 * f.l11 + f.l20 * f.l20 + f.l21 * f.l21 + f.l22 * f.l22);
  const float a00 = std::abs(f.l00), a10 = std::abs(f.l10), a11 = std::abs(f.l11);
  const float a20 = std::abs(f.l20), a21 = std::abs(f.l21), a22 = std::abs(f.l22);
  const float rows = std::max({a00, a10 + a11, a20 + a21 + a22});
  const float columns = std::max({a00 + a10 + a20, a11 + a21, a22});
  return std::min(frobenius, std::sqrt(rows * columns));
}

// L with L^T L = F^T F = G, F = diag(scale) R. The pivots are computed without subtracting large numbers:
// l22^2 = G_22, 1 / l00^2 = (G^-1)_00, and l00 l11 l22 is the product of the scales.
void factor(const Shape& shape, SiteForm& form) {
  const auto& f = shape.f.m;
  const auto& s = shape.scale;
  float g22 = 0, g02 = 0, g12 = 0, inverse00 = 0, inverse01 = 0;
  for (int i = 0; i < 3; ++i) {
    const float over = 1 / (s[i] * s[i]), a = f[i][0] * over, b = f[i][1] * over;
    g22 += f[i][2] * f[i][2];
    g02 += f[i][0] * f[i][2];
    g12 += f[i][1] * f[i][2];
    inverse00 += a * a; // R / s = F / s^2
    inverse01 += a * b;
  }
  form.l22 = std::sqrt(g22);
  form.l20 = g02 / form.l22;
  form.l21 = g12 / form.l22;
  form.l00 = 1 / std::sqrt(inverse00);
  form.l11 = s[0] * s[1] * s[2] / (form.l00 * form.l22);
  form.l10 = -inverse01 / inverse00 * form.l11;
}

SiteForm formOf(bool triangular, const Shape& f, const float* p, float t) {
  SiteForm form{};
  if (triangular)
    form = {f.f.m[0][0], f.f.m[1][0], f.f.m[1][1], f.f.m[2][0], f.f.m[2][1], f.f.m[2][2], 0, 0, 0, 0, 0};
  else
    factor(f, form);
  form.b0 = -form.l00 * p[0];
  form.b1 = -form.l10 * p[0] - form.l11 * p[1];
  form.b2 = -form.l20 * p[0] - form.l21 * p[1] - form.l22 * p[2];
  form.t2 = t * t;
  form.k = 0.25F / form.t2;
  return form;
}

template <std::size_t kSize> std::array<float, kSize> column(const float* from, std::size_t i) {
  std::array<float, kSize> out;
  for (std::size_t c = 0; c < kSize; ++c) out[c] = from[c * kJointGroup + i];
  return out;
}

void compileSites(const SiteColumns& sites) {
  for (std::size_t i = 0; i < kJointGroup; ++i) {
    auto stored = column<kStoredNumbers>(sites.stored, i);
    const Shape f = shapeOf(sites.triangular, stored.data() + kStoredShape);
    const float t = std::exp(std::clamp(stored[kStoredOffset], kMinLogOffset, kMaxLogOffset));
    const SiteForm form = formOf(sites.triangular, f, stored.data(), t);
    const float numbers[] = {form.l00, form.l10, form.l11, form.l20, form.l21, form.l22,
                             form.b0,  form.b1,  form.b2,  form.t2,  form.k};
    for (std::size_t c = 0; c < kSiteColumns; ++c) sites.form[c * kJointGroup + i] = numbers[c];
    for (std::size_t c = 0; c < 9; ++c) sites.shape[c * kJointGroup + i] = f.f.m[c / 3][c % 3];
    for (std::size_t c = 0; c < 3; ++c) sites.shape[(kShapeScale + c) * kJointGroup + i] = f.scale[c];
    sites.offset[i] = t;
    const float spread = sites.triangular ? spreadOf(form) : std::max({f.scale[0], f.scale[1], f.scale[2]});
    sites.spread[i] = std::max(sites.spread[i], kRounding * spread);
  }
}

// dL/dp = -F^T F sum(g u), dL/dF = F sum(g u u^T).
void siteGradients(const SiteGradients& sites) {
  for (std::size_t i = 0; i < kJointGroup; ++i) {
    const auto stored = column<kStoredNumbers>(sites.stored, i);
    const auto sum = column<kSiteSums>(sites.sums, i);
    Matrix3<float> f, df;
    for (std::size_t c = 0; c < 9; ++c) f.m[c / 3][c % 3] = sites.shape[c * kJointGroup + i];
    const float moment[3][3] = {{sum[4], sum[5], sum[6]}, {sum[5], sum[7], sum[8]}, {sum[6], sum[8], sum[9]}};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c) df.m[a][b] += f.m[a][c] * moment[c][b];
    const Vec3f by_center = f.transposeTimes(f * Vec3f{sum[0], sum[1], sum[2]});
    float out[kStoredNumbers] = {-by_center.x, -by_center.y, -by_center.z, sum[3]};
    if (sites.triangular)
      addTriangularGradient(f, df, out + kStoredShape);
    else
      addScaleRotationGradient(stored.data() + kStoredShape, f, df, out + kStoredShape);
    for (std::size_t c = 0; c < kStoredNumbers; ++c) sites.gradient[c * kJointGroup + i] = out[c];
  }
}

} // namespace

void setFieldSites(Kernels& table) {
  table.compileSites = compileSites;
  table.siteGradients = siteGradients;
}

} // namespace skincells::kernels::scalar
