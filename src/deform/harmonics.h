// Real spherical harmonics of degrees 0 .. 3, which 3D Gaussian splats use for view-dependent colors.
#pragma once

#include <array>
#include <span>

#include "deform/matrix3.h"

namespace skincells::deform {

inline constexpr int kMaxDegree = 3;
inline constexpr std::size_t kMaxCoefficients = 16; // of one function, degrees 0 .. 3

// The values of all functions up to `degree` at a unit vector, in the order and with the signs of Kerbl et al. 2023:
// degree by degree, m = -l .. l, functions of odd m negated.
void harmonics(int degree, const Vec3d& direction, std::span<double> out);

// Rotates functions given by their coefficients: f'(R d) = f(d). A function of degree l is determined by its values in
// 2l+1 fixed directions. There f' has the values of f in the directions rotated back by R, and a matrix that does not
// depend on R turns these values into coefficients. Constructed once per rotation and used for all colors.
class HarmonicsRotation {
public:
  HarmonicsRotation(const Columns& rotation, int degree);

  // `rest`: the coefficients of degrees 1 .. degree of one function; that of degree 0 does not change.
  void apply(std::span<double> rest) const;

private:
  int degree_;
  Columns rotation_;
  // Values of the functions of degrees 2 and 3 in the directions rotated back, by direction.
  std::array<std::array<double, 5>, 5> second_;
  std::array<std::array<double, 7>, 7> third_;
};

} // namespace skincells::deform
