// Implicit surfaces: rounded shapes, each owned by a joint and painted with a material, joined by smooth unions.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "skincells/math.h"
#include "skincells/rig.h"

namespace skincells::examples {

// One shape in its local frame: y runs along the axis. Every kind is symmetric under local x -> -x.
struct Shape {
  enum class Kind { RoundCone, CappedCone, Box };
  Kind kind = Kind::RoundCone;
  Affine world_from_local; // rigid
  Vec3d squash{1, 1, 1};   // local stretch along x, y, z, applied before the frame
  double span = 0;         // along y, cones only
  double radius0 = 0;      // at y = 0, cones only
  double radius1 = 0;      // at y = length, cones only
  Vec3d half;              // half extents, boxes only
  double rounding = 0;     // edge radius, capped cones and boxes
  double blend = 0;        // width of the smooth union with the shapes before it
  bool carve = false;      // subtract instead of adding
  int joint = -1;
  int material = 0;

  // Rotated about its origin, in world axes.
  Shape turned(const Vec3d& axis, double degrees) const;
  // Local x and z scaled: flattened limbs, oval trunks.
  Shape flattened(double sx, double sz) const;
  // The image under x -> -x.
  Shape mirrored() const;
  Shape moved(const Affine& rigid) const;

  // First-order distance to the surface, negative inside.
  double distance(const Vec3d& p) const;
  Vec3d center() const;
  double boundingRadius() const;
};

// Spheres of linearly changing radius along a segment. Needs |a - b| > |ra - rb|.
Shape roundCone(const Vec3d& a, const Vec3d& b, double ra, double rb);
// A cone frustum with flat ends and rounded rims.
Shape cappedCone(const Vec3d& a, const Vec3d& b, double ra, double rb, double rounding);
Shape ellipsoid(const Vec3d& center, const Vec3d& radii);
Shape box(const Vec3d& center, const Vec3d& half, double rounding);

// The half-space beyond a plane, as a shape to carve with: a large box with a face through `point`.
Shape beyond(const Vec3d& point, const Vec3d& normal);

// A list of shapes folded into one surface, in the order in which they were added.
class Field {
public:
  void add(const Shape& shape) { shapes_.push_back(shape); }
  const std::vector<Shape>& shapes() const { return shapes_; }
  // Each shape transformed by the pose of its joint.
  Field posed(const Pose& pose) const;

  // Negative inside. A distance near the surface, a large number far from it.
  double value(const Vec3d& p) const;
  // By finite differences.
  Vec3d gradient(const Vec3d& p) const;
  // The surface point after a few Newton steps.
  Vec3d project(Vec3d p) const;

  // Distance to the nearest shape of this material less the distance to the nearest other one.
  double materialBorder(const Vec3d& p, int material) const;
  int materialAt(const Vec3d& p) const;
  std::vector<int> materials() const;

  // Smooth partition of unity by owner at p: the joints whose shapes are about as near as the nearest one.
  std::vector<std::pair<int, double>> influences(const Vec3d& p, const Skeleton& skeleton) const;

private:
  using Nearby = std::vector<std::uint16_t>;
  const Nearby& nearby(const Vec3d& p) const;

  std::vector<Shape> shapes_;
  mutable std::unordered_map<std::uint64_t, Nearby> nearby_; // shapes by block of space, filled on demand
};

// Adds shapes to a field by joint name, with the current settings.
class Sculptor {
public:
  Sculptor(Field& field, const Skeleton& skeleton) : field_(&field), skeleton_(&skeleton) {}
  Sculptor& paint(int material) { return material_ = material, *this; }
  Sculptor& blend(double width) { return blend_ = width, *this; }
  void add(const std::string& joint, const Shape& shape, bool carve = false);
  void carve(const std::string& joint, const Shape& shape) { add(joint, shape, true); }
  // The shape for `stem`.L and its mirror image for `stem`.R.
  void addPair(const std::string& stem, const Shape& shape, bool carve = false);
  // The shape and its mirror image, both owned by one joint of the middle.
  void addTwice(const std::string& joint, const Shape& shape, bool carve = false);
  Vec3d at(const std::string& joint) const;

private:
  Field* field_;
  const Skeleton* skeleton_;
  int material_ = 0;
  double blend_ = 0;
};

} // namespace skincells::examples
