#include "deform/harmonics.h"

#include <cmath>
#include <cstdlib>

#include "base/assert.h"

namespace skincells::deform {
namespace {

// Where the matrix of degree l begins.
constexpr std::array<std::size_t, 4> kBegin{0, 0, 9, 34};

double signOf(int m) {
  return m % 2 == 0 ? 1 : -1;
}

} // namespace

void harmonics(int degree, const Vec3d& d, std::span<double> out) {
  SKINCELLS_ASSERT(out.size() == static_cast<std::size_t>((degree + 1) * (degree + 1)));
  const double x = d.x, y = d.y, z = d.z;
  // sqrt(1 / 4 pi), sqrt(3 / 4 pi), ...
  const double all[kMostCoefficients] = {0.28209479177387814,
                                         -0.4886025119029199 * y,
                                         0.4886025119029199 * z,
                                         -0.4886025119029199 * x,
                                         1.0925484305920792 * x * y,
                                         -1.0925484305920792 * y * z,
                                         0.31539156525252005 * (2 * z * z - x * x - y * y),
                                         -1.0925484305920792 * x * z,
                                         0.5462742152960396 * (x * x - y * y),
                                         -0.5900435899266435 * y * (3 * x * x - y * y),
                                         2.890611442640554 * x * y * z,
                                         -0.4570457994644658 * y * (4 * z * z - x * x - y * y),
                                         0.3731763325901154 * z * (2 * z * z - 3 * x * x - 3 * y * y),
                                         -0.4570457994644658 * x * (4 * z * z - x * x - y * y),
                                         1.445305721320277 * z * (x * x - y * y),
                                         -0.5900435899266435 * x * (x * x - 3 * y * y)};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = all[i];
}

HarmonicsRotation::HarmonicsRotation(const Columns& rotation, int degree) : degree_(degree) {
  SKINCELLS_ASSERT(degree >= 0 && degree <= kMostDegree);
  if (degree == 0) return;
  // Degree 1 is the rotation itself in the order y, z, x.
  const std::array<Vec3d, 3> rows = transposed(rotation);
  const auto component = [](const Vec3d& v, int m) { return m == -1 ? v.y : m == 0 ? v.z : v.x; };
  const Vec3d by_order[3] = {rows[1], rows[2], rows[0]};
  for (int m = -1; m <= 1; ++m)
    for (int n = -1; n <= 1; ++n) at(1, m, n) = component(by_order[m + 1], n);
  for (int l = 2; l <= degree; ++l)
    for (int m = -l; m <= l; ++m)
      for (int n = -l; n <= l; ++n) at(l, m, n) = element(l, m, n);
}

double& HarmonicsRotation::at(int l, int m, int n) {
  return matrices_[kBegin[static_cast<std::size_t>(l)] + static_cast<std::size_t>((m + l) * (2 * l + 1) + n + l)];
}
double HarmonicsRotation::at(int l, int m, int n) const {
  return matrices_[kBegin[static_cast<std::size_t>(l)] + static_cast<std::size_t>((m + l) * (2 * l + 1) + n + l)];
}

double HarmonicsRotation::product(int i, int l, int a, int b) const {
  if (b == l) return at(1, i, 1) * at(l - 1, a, l - 1) - at(1, i, -1) * at(l - 1, a, 1 - l);
  if (b == -l) return at(1, i, 1) * at(l - 1, a, 1 - l) + at(1, i, -1) * at(l - 1, a, l - 1);
  return at(1, i, 0) * at(l - 1, a, b);
}

// u U + v V + w W of the paper's tables 1 and 2; a term whose factor is zero may not be looked up.
double HarmonicsRotation::element(int l, int m, int n) const {
  const int size = std::abs(m);
  const double denominator = std::abs(n) == l ? 2.0 * l * (2 * l - 1) : 1.0 * (l + n) * (l - n);
  const double diagonal = m == 0 ? 1 : 0;
  const double u = std::sqrt((l + m) * (l - m) / denominator);
  const double v = 0.5 * std::sqrt((1 + diagonal) * (l + size - 1) * (l + size) / denominator) * (1 - 2 * diagonal);
  const double w = -0.5 * std::sqrt((l - size - 1) * (l - size) / denominator) * (1 - diagonal);
  double sum = u != 0 ? u * product(0, l, m, n) : 0;
  if (m == 0)
    sum += v * (product(1, l, 1, n) + product(-1, l, -1, n));
  else if (m > 0)
    sum += v * (product(1, l, m - 1, n) * (m == 1 ? std::sqrt(2.0) : 1) - (m == 1 ? 0 : product(-1, l, 1 - m, n)));
  else
    sum += v * ((m == -1 ? 0 : product(1, l, m + 1, n)) + product(-1, l, -m - 1, n) * (m == -1 ? std::sqrt(2.0) : 1));
  if (w == 0) return sum;
  if (m > 0) return sum + w * (product(1, l, m + 1, n) + product(-1, l, -m - 1, n));
  return sum + w * (product(1, l, m - 1, n) - product(-1, l, 1 - m, n));
}

void HarmonicsRotation::apply(std::span<double> rest) const {
  SKINCELLS_ASSERT(rest.size() == static_cast<std::size_t>((degree_ + 1) * (degree_ + 1) - 1));
  double* coefficients = rest.data();
  for (int l = 1; l <= degree_; ++l) {
    double turned[2 * kMostDegree + 1];
    for (int m = -l; m <= l; ++m) {
      double sum = 0;
      for (int n = -l; n <= l; ++n) sum += signOf(m + n) * at(l, m, n) * coefficients[n + l];
      turned[m + l] = sum;
    }
    for (int i = 0; i < 2 * l + 1; ++i) coefficients[i] = turned[i];
    coefficients += 2 * l + 1;
  }
}

} // namespace skincells::deform
