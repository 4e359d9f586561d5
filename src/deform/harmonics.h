// Real spherical harmonics of degree 0 .. 3, as 3D Gaussian splats use them for colours that depend on direction.
#pragma once

#include <array>
#include <span>

#include "deform/matrix3.h"

namespace skincells::deform {

inline constexpr int kMostDegree = 3;
inline constexpr std::size_t kMostCoefficients = 16; // of degrees 0 .. 3

// The values of all functions up to `degree` in a direction of unit length, in the order and with the signs of Kerbl et
// al. 2023: degree by degree, m = -l .. l, functions of odd m negative.
void harmonics(int degree, const Vec3d& direction, std::span<double> out);

// Turns functions given by their coefficients: f'(R d) = f(d). The matrices of a rotation are made once and used for
// all colours (Ivanic and Ruedenberg 1996, with the corrections of 1998: each degree from the one below it).
class HarmonicsRotation {
public:
  HarmonicsRotation(const Columns& rotation, int degree);

  // `rest`: the coefficients of degrees 1 .. degree of one function; the constant does not change.
  void apply(std::span<double> rest) const;

private:
  // The matrix of degree l, element (m, n), -l <= m, n <= l.
  double& at(int l, int m, int n);
  double at(int l, int m, int n) const;
  // P of the recursion: combines degree 1 with degree l - 1.
  double product(int i, int l, int a, int b) const;
  double element(int l, int m, int n) const;

  int degree_;
  std::array<double, 9 + 25 + 49> matrices_{};
};

} // namespace skincells::deform
