#include "limbs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "field/initialize.h"

namespace skincells::bench {
namespace {

// Limbs form a square grid inside the unit box, each along y.
void addLimb(const LimbsSize& size, int limb, std::vector<field::BoneSegment>& bones, Limbs& out) {
  const int columns = static_cast<int>(std::ceil(std::sqrt(size.limbs))), n = size.joints_per_limb;
  const double pitch = 1.0 / columns, x = pitch * (limb % columns + 0.5), z = pitch * (limb / columns + 0.5);
  for (int j = 0; j < n; ++j) {
    const Vec3d a{x, static_cast<double>(j) / n, z}, b{x, (j + 1.0) / n, z};
    bones.push_back({limb * n + j, a, b});
    Joint joint;
    joint.parent = j == 0 ? kNoParent : limb * n + j - 1;
    joint.bind = joint.rest = Affine::fromTranslation(a);
    out.skeleton.joints.push_back(joint);
  }
  const auto first = out.mesh.vertexCount();
  const auto at = [&](int r, int s) { return first + static_cast<std::uint32_t>(r * size.sides + s % size.sides); };
  for (int r = 0; r < size.rings; ++r)
    for (int s = 0; s < size.sides; ++s) {
      const double y = r / (size.rings - 1.0), a = 2 * std::numbers::pi * s / size.sides;
      const int joint = limb * n + std::min(n - 1, static_cast<int>(n * y));
      out.springs.push_back({at(r, s), joint, {x, y, z}});
      out.mesh.positions.push_back(toFloat({x + 0.32 * pitch * std::cos(a), y, z + 0.32 * pitch * std::sin(a)}));
      if (r + 1 == size.rings) continue;
      out.mesh.triangles.push_back({at(r, s), at(r + 1, s), at(r + 1, s + 1)});
      out.mesh.triangles.push_back({at(r, s), at(r + 1, s + 1), at(r, s + 1)});
    }
}

} // namespace

LimbsSize withVertices(LimbsSize size, int vertices) {
  const double each = static_cast<double>(vertices) / size.limbs, aspect = 17.0 / 11;
  size.sides = std::max(4, static_cast<int>(std::lround(std::sqrt(each / aspect))));
  size.rings = std::max(2, static_cast<int>(std::lround(each / size.sides)));
  return size;
}

Limbs::Limbs(const LimbsSize& size) {
  std::vector<field::BoneSegment> bones;
  for (int limb = 0; limb < size.limbs; ++limb) addLimb(size, limb, bones, *this);
  field = field::initializeField(bones, {size.joints(), size.sites, FieldShape::ScaleRotation}, 4, 1);
  poses = randomPoses(skeleton, {.count = size.poses});
}

} // namespace skincells::bench
