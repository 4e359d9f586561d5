#include "deform/harmonics.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace skincells::deform {
namespace {

template <std::size_t N> using Square = std::array<std::array<double, N>, N>;

// The functions of one degree. The factors normalize them on the unit sphere: sqrt(3 / 4 pi) and so on.
std::array<double, 3> firstDegree(const Vec3d& d) {
  return {-0.4886025119029199 * d.y, 0.4886025119029199 * d.z, -0.4886025119029199 * d.x};
}
std::array<double, 5> secondDegree(const Vec3d& d) {
  const double x = d.x, y = d.y, z = d.z;
  return {1.0925484305920792 * x * y, -1.0925484305920792 * y * z, 0.31539156525252005 * (2 * z * z - x * x - y * y),
          -1.0925484305920792 * x * z, 0.5462742152960396 * (x * x - y * y)};
}
std::array<double, 7> thirdDegree(const Vec3d& d) {
  const double x = d.x, y = d.y, z = d.z, xx = x * x, yy = y * y, zz = z * z;
  return {-0.5900435899266435 * y * (3 * xx - yy),      2.890611442640554 * x * y * z,
          -0.4570457994644658 * y * (4 * zz - xx - yy), 0.3731763325901154 * z * (2 * zz - 3 * xx - 3 * yy),
          -0.4570457994644658 * x * (4 * zz - xx - yy), 1.445305721320277 * z * (xx - yy),
          -0.5900435899266435 * x * (xx - 3 * yy)};
}

template <std::size_t N> Square<N> inverse(const Square<N>& a) {
  using Matrix = Eigen::Matrix<double, N, N, Eigen::RowMajor>;
  Square<N> out;
  Eigen::Map<Matrix>(out[0].data()) = Eigen::Map<const Matrix>(a[0].data()).inverse();
  return out;
}

// Directions in which functions are sampled, all of them for degree 3 and the first five for degree 2. They are spread
// so that the matrices from values to coefficients are well conditioned.
struct Probes {
  std::array<Vec3d, 7> directions{Vec3d{0.234, -0.936, 0.264},  Vec3d{0.390, -0.301, 0.870},
                                  Vec3d{0.201, -0.602, -0.773}, Vec3d{-0.482, -0.252, 0.839},
                                  Vec3d{-0.852, 0.496, 0.165},  Vec3d{0.781, -0.447, 0.436},
                                  Vec3d{0.171, 0.742, -0.649}};
  Square<5> second; // from values to coefficients
  Square<7> third;

  Probes() {
    for (Vec3d& d : directions) d = normalized(d);
    for (std::size_t i = 0; i < 5; ++i) second[i] = secondDegree(directions[i]);
    for (std::size_t i = 0; i < 7; ++i) third[i] = thirdDegree(directions[i]);
    second = inverse(second);
    third = inverse(third);
  }
};

const Probes& probes() {
  static const Probes instance;
  return instance;
}

template <std::size_t N> std::array<double, N> product(const Square<N>& a, const double* x) {
  std::array<double, N> out;
  for (std::size_t r = 0; r < N; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < N; ++c) sum += a[r][c] * x[c];
    out[r] = sum;
  }
  return out;
}

// samples: the functions at the directions turned back. solve: from values to coefficients.
template <std::size_t N> void turnDegree(const Square<N>& samples, const Square<N>& solve, double* coefficients) {
  const auto values = product(samples, coefficients);
  std::ranges::copy(product(solve, values.data()), coefficients);
}

} // namespace

void harmonics(int degree, const Vec3d& d, std::span<double> out) {
  SKINCELLS_ASSERT(out.size() == static_cast<std::size_t>((degree + 1) * (degree + 1)));
  out[0] = 0.28209479177387814; // sqrt(1 / 4 pi)
  if (degree >= 1) std::ranges::copy(firstDegree(d), out.begin() + 1);
  if (degree >= 2) std::ranges::copy(secondDegree(d), out.begin() + 4);
  if (degree >= 3) std::ranges::copy(thirdDegree(d), out.begin() + 9);
}

HarmonicsRotation::HarmonicsRotation(const Columns& rotation, int degree) : degree_(degree), rotation_(rotation) {
  SKINCELLS_ASSERT(degree >= 0 && degree <= kMaxDegree);
  if (degree < 2) return;
  const auto& directions = probes().directions;
  for (std::size_t i = 0; i < (degree == 2 ? 5U : 7U); ++i) {
    const Vec3d back{dot(rotation[0], directions[i]), dot(rotation[1], directions[i]), dot(rotation[2], directions[i])};
    if (i < 5) second_[i] = secondDegree(back);
    if (degree == 3) third_[i] = thirdDegree(back);
  }
}

void HarmonicsRotation::apply(std::span<double> rest) const {
  SKINCELLS_ASSERT(rest.size() == static_cast<std::size_t>((degree_ + 1) * (degree_ + 1) - 1));
  if (degree_ == 0) return;
  // A function of degree 1 is the dot product with a vector, so that vector is rotated.
  const Vec3d v = deform::apply(rotation_, {-rest[2], -rest[0], rest[1]});
  rest[0] = -v.y;
  rest[1] = v.z;
  rest[2] = -v.x;
  if (degree_ >= 2) turnDegree(second_, probes().second, rest.data() + 3);
  if (degree_ >= 3) turnDegree(third_, probes().third, rest.data() + 8);
}

} // namespace skincells::deform
