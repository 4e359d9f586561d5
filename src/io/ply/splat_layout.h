// Finds the vertex properties of 3D Gaussian splats in a PLY file.
#pragma once

#include <optional>
#include <vector>

#include "io/ply/ply_file.h"
#include "skincells/result.h"

namespace skincells::io {

// Indices of properties; a list is empty if the file does not have all of them. The names are those of Kerbl et al.
// 2023
// ("3D Gaussian Splatting for Real-Time Radiance Field Rendering"), which other tools use too.
struct SplatLayout {
  std::vector<int> normal;    // nx, ny, nz
  std::vector<int> scale;     // scale_0..2: logarithms of the standard deviations along the axes
  std::vector<int> rotation;  // rot_0..3: quaternion w, x, y, z of any length, axes -> space
  std::vector<int> harmonics; // f_rest_i: for each color, the coefficients of degree 1 and up
  int degree = 0;             // degree of the harmonics, 0 .. 3

  bool hasNormals() const { return !normal.empty(); }
  bool isSplat() const { return !scale.empty() && !rotation.empty(); }
};
SplatLayout findSplatLayout(const PlyFile& file);

// A warning if the number of f_rest_ properties fits no degree up to 3. They are then not rotated.
std::optional<Warning> oddHarmonics(const PlyFile& file);

} // namespace skincells::io
