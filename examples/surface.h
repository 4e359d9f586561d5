// Triangle surfaces at three levels of detail, made from implicit fields or from sheets.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "implicit.h"
#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells::examples {

inline constexpr int kLodCount = 3;

struct Surface {
  std::vector<Vec3d> positions;
  std::vector<Vec3d> normals;
  std::vector<Triangle> triangles;
  std::vector<int> materials; // one per triangle
  SparseWeights weights;      // four slots per vertex, or empty if not known
};
using LodSurfaces = std::array<Surface, kLodCount>;

struct PolygonizeOptions {
  double cell = 0.005;  // grid spacing, meters
  int triangles = 1000; // target for LOD 0; each further level has a quarter
};

// The closed surface of a field: surface nets on the cells that the surface runs through, simplified to each
// level, evened out along the surface, cut along the borders between materials, with normals of the field and
// weights by the owners of its shapes.
LodSurfaces polygonize(const Field& field, const Skeleton& skeleton, const PolygonizeOptions& options);

// A point of a sheet for u, v in [0, 1].
using SheetFunction = std::function<Vec3d(double u, double v)>;
struct SheetOptions {
  int columns = 32;   // along u, at LOD 0; each further level has half
  int rows = 32;      // along v
  bool round = false; // closed: u = 1 equals u = 0
  int material = 0;
};
// An open grid over a function.
LodSurfaces sheet(const SheetFunction& point, const SheetOptions& options);

} // namespace skincells::examples
