// A symmetric field: cells on one side share their parameters with those on the other.
#pragma once

#include <span>
#include <vector>

#include "skincells/field.h"

namespace skincells::fit {

// Ties the parameters of a field of FieldShape::ScaleRotation. A cell and its twin mirror each other site by site; a
// cell without a twin stays free.
class FieldMirror {
public:
  // The plane dot(normal, x) = offset in bind space; normal: of unit length. twin: by joint of the field, another one
  // or -1: none.
  FieldMirror(const FieldParameters& field, const Vec3d& normal, double offset, std::vector<int> twin);

  // Makes one side the mirror image of the other.
  void apply(FieldParameters& field) const;
  // Turns the derivative in all parameters into that in those which are free; the others' becomes 0.
  void fold(const FieldLayout& layout, std::span<float> gradient) const;

  const std::vector<int>& twins() const { return twin_; }
  // The mirror image of a point in the unit box.
  Vec3d mirrored(const Vec3d& p) const { return p - normal_ * (2 * (dot(normal_, p) - offset_)); }

private:
  // cell(free, tied) for every pair of cells.
  template <class Cell> void eachPair(const Cell& cell) const;

  Vec3d normal_;
  double offset_ = 0; // in the unit box
  std::vector<int> twin_;
};

} // namespace skincells::fit
