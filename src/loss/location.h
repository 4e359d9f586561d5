// Location: springs keep vertices at their rest distance from the bones they belong to.
//
//   1/P sum ((|x - q| - l) / (l + 0.01 cm))^2,  q the anchor moved with its joint, l the rest length
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/quad_range.h"
#include "skincells/math.h"

namespace skincells::loss {

template <class T> struct Spring {
  std::uint32_t vertex = 0;
  std::uint32_t joint = 0; // the joint that the anchor moves with
  Vec3<T> anchor;          // at rest, in the units of the positions
  T rest_length = 0;
};

inline constexpr double kSpringSoftening = 0.01; // cm; keeps the loss of springs of length 0 finite

template <class T> class Location {
public:
  Location(std::vector<Spring<T>> springs, std::size_t vertex_count);

  // The value for the vertices of the range, each pose multiplied by its lane weight. Adds the derivative to
  // range.posed_gradient.
  T add(const kernels::QuadRange<T>& range, const T* lane_weight) const;

private:
  // See kernels::SpringView.
  std::vector<std::uint32_t> begin_, joint_;
  std::vector<T> numbers_;
};

} // namespace skincells::loss
