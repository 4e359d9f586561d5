// Which vertex properties of a PLY file make it a file of 3D Gaussian splats, and where they stand.
#pragma once

#include <optional>
#include <vector>

#include "io/ply/ply_file.h"
#include "skincells/result.h"

namespace skincells::io {

// Properties by index; empty lists where the file has none of them. The names are those of the files that Kerbl et al.
// 2023 ("3D Gaussian Splatting for Real-Time Radiance Field Rendering") write, which all tools have taken over.
struct SplatLayout {
  std::vector<int> normal;    // nx, ny, nz
  std::vector<int> scale;     // scale_0..2: logarithms of the standard deviations along the axes
  std::vector<int> rotation;  // rot_0..3: quaternion w, x, y, z of any length, axes -> space
  std::vector<int> harmonics; // f_rest_i: for each color, the coefficients of degree 1 and up
  int degree = 0;             // of the harmonics

  bool hasNormals() const { return !normal.empty(); }
  bool isSplat() const { return !scale.empty() && !rotation.empty(); }
};
SplatLayout findSplatLayout(const PlyFile& file);

// A warning when there are f_rest_ properties, but not as many as a degree up to 3 has. They are then left alone.
std::optional<Warning> oddHarmonics(const PlyFile& file);

} // namespace skincells::io
