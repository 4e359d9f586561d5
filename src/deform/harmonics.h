// Real spherical harmonics of degree 0 .. 3, as 3D Gaussian splats use them for colors that depend on direction.
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

// Turns functions given by their coefficients: f'(R d) = f(d). A function of one degree l is known by its values in
// 2l+1 directions; f' has there the values of f in the directions turned back, and its coefficients follow by a matrix
// that no rotation changes. Made once for a rotation and used for all colors.
class HarmonicsRotation {
public:
  HarmonicsRotation(const Columns& rotation, int degree);

  // `rest`: the coefficients of degrees 1 .. degree of one function; the constant does not change.
  void apply(std::span<double> rest) const;

private:
  int degree_;
  Columns rotation_;
  // Values of the functions of degree 2 and 3 in the directions turned back, by direction.
  std::array<std::array<double, 5>, 5> second_;
  std::array<std::array<double, 7>, 7> third_;
};

} // namespace skincells::deform
