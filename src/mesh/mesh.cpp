#include "skincells/mesh.h"

namespace skincells {

Box Mesh::bounds() const {
  Box box;
  for (const Vec3f& p : positions) box.add(toDouble(p));
  return box;
}

double weldTolerance(const Mesh& mesh) {
  return 1e-6 * mesh.bounds().diagonal();
}

} // namespace skincells
