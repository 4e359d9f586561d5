// Conversion between the matrices of Assimp and of this project.
#pragma once

#include <array>

#include <assimp/types.h>

#include "skincells/math.h"

namespace skincells::importer {

// Translation, rotation (x, y, z, w; unit length) and scale.
struct Trs {
  Vec3d translation;
  std::array<double, 4> rotation{0, 0, 0, 1};
  Vec3d scale{1, 1, 1};
};

Affine toAffine(const aiMatrix4x4& matrix);
inline Vec3d toVec(const aiVector3D& v) {
  return {v.x, v.y, v.z};
}

Affine compose(const Trs& trs);
// The nearest translation, rotation and scale: exact unless the map shears. A mirrored map gets a negative scale on
// all three axes; a map that is not finite becomes the identity.
Trs decompose(const Affine& affine);

// Largest difference of the two linear parts, relative to the size of `a`.
double linearDifference(const Affine& a, const Affine& b);

} // namespace skincells::importer
