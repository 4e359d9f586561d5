// The skin cells of a character: a small set of numbers that defines skinning weights at every point in space.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "skincells/math.h"

namespace skincells {

enum class FieldShape {
  ScaleRotation, // F = diag(exp(log s)) R(q): 7 numbers per site, log s then q = (w, x, y, z) of any length
  Triangular,    // F lower triangular: 6 numbers per site, [log L00, L10, log L11, L20, L21, log L22]
};

// Layout of the flat parameter vector of a field, in this order (j joint, s site):
//   site centers p      [j][s][3]
//   log t               [j][s]       offset of the site
//   shapes              [j][s][6|7]  see FieldShape
//   log c               [j]          slack of the cell
//   log r               [j]          falloff of the cell
//   log k               [j]          front factor of the cell; only in fields that see normals
struct FieldLayout {
  int joint_count = 0;
  int site_count = 0; // per joint
  FieldShape shape = FieldShape::ScaleRotation;
  bool normals = false; // the field sees normals

  std::size_t joints() const { return static_cast<std::size_t>(joint_count); }
  std::size_t sitesPerJoint() const { return static_cast<std::size_t>(site_count); }
  std::size_t sites() const { return joints() * sitesPerJoint(); }
  std::size_t shapeSize() const { return shape == FieldShape::ScaleRotation ? 7 : 6; }

  std::size_t centerBegin() const { return 0; }
  std::size_t offsetBegin() const { return 3 * sites(); }
  std::size_t shapeBegin() const { return 4 * sites(); }
  std::size_t slackBegin() const { return shapeBegin() + shapeSize() * sites(); }
  std::size_t falloffBegin() const { return slackBegin() + joints(); }
  std::size_t frontBegin() const { return falloffBegin() + joints(); }
  std::size_t size() const { return frontBegin() + (normals ? joints() : 0); }
};

// Joint j owns a cell of `layout.site_count` sites. The distance to a site is |F (x - p)|, smoothed below t; the
// distance d_j to a cell is that to its nearest site. With D the (max_influences + 1)-th smallest d_j, the weights are
// (max(c_j, D - d_j) / d_j)^r_j, divided by their sum (Larionov et al. 2025, arXiv 2506.14714).
//
// In a field that sees normals, the distance of a point with normal n to a site is multiplied by
// 1 + k_j max(0, n . (p - x) / |p - x|): a site in front of the surface is farther than one behind it, so that limbs
// which lie close to each other do not share weights.
struct FieldParameters {
  FieldLayout layout;
  int max_influences = 4; // 1 .. 8; with zero slack, no point in space has more non-zero weights than this

  // Parameters are in the coordinates of a unit box: x_unit = (x - unit_origin) * unit_scale for a bind-space position
  // x.
  Vec3d unit_origin;
  double unit_scale = 1;

  std::vector<float> values; // layout.size() numbers

  FieldParameters() = default;
  FieldParameters(const FieldLayout& l, int influences)
      : layout(l), max_influences(influences), values(l.size(), 0.0F) {}

  std::span<float> centers() { return part(layout.centerBegin(), layout.offsetBegin()); }
  std::span<float> logOffsets() { return part(layout.offsetBegin(), layout.shapeBegin()); }
  std::span<float> shapes() { return part(layout.shapeBegin(), layout.slackBegin()); }
  std::span<float> logSlacks() { return part(layout.slackBegin(), layout.falloffBegin()); }
  std::span<float> logFalloffs() { return part(layout.falloffBegin(), layout.frontBegin()); }
  std::span<float> logFronts() { return part(layout.frontBegin(), layout.size()); } // empty without normals

  Vec3d toUnit(const Vec3d& x) const { return (x - unit_origin) * unit_scale; }

private:
  std::span<float> part(std::size_t begin, std::size_t end) { return std::span(values).subspan(begin, end - begin); }
};

// Points at which a field is evaluated. Fields that see normals use the normals, as docs/field-file.md defines them;
// their length is at most 1, and 0 where there is none. Other fields ignore them.
struct FieldPoints {
  std::span<const Vec3f> positions;
  std::span<const Vec3f> normals; // one per position, or empty: no point has one

  FieldPoints() = default;
  template <class Positions>
  requires std::convertible_to<const Positions&, std::span<const Vec3f>>
  FieldPoints(const Positions& points, std::span<const Vec3f> their_normals = {})
      : positions(points), normals(their_normals) {}

  std::size_t size() const { return positions.size(); }
};

} // namespace skincells
