// Location: springs keep vertices at their rest distance from the bones they belong to.
//
//   1/P sum ((|x - q| - l) / (l + 0.01 cm))^2,  q the anchor moved with its joint, l the rest length
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skincells/math.h"

namespace skincells::loss {

template <class T> struct Spring {
  std::uint32_t vertex = 0;
  std::uint32_t joint = 0; // the anchor moves with it
  Vec3<T> anchor;          // at rest, in the units of the positions
  T rest_length = 0;
};

inline constexpr double kSpringSoftening = 0.01; // cm; keeps springs of no length finite

template <class T> class Location {
public:
  Location(std::vector<Spring<T>> springs, std::size_t vertex_count);

  // Springs of the vertices [begin, end) in four poses: returns the value, adds the derivative to posed_gradient.
  // Arrays as [vertex][axis 3][pose 4], matrices as in deform::PoseQuads.
  T addGradient(std::size_t begin, std::size_t end, const T* posed, const T* matrices, const T* lane_weight,
                T* posed_gradient) const;

private:
  // See kernels::SpringViewOf.
  std::vector<std::uint32_t> begin_, joint_;
  std::vector<T> numbers_;
};

} // namespace skincells::loss
