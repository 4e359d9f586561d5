// Stretch: the edges of cloth should keep their length.
//
//   1/P sum l^2 ln(|e| / l)^4,  e the posed edge, l its length at rest
//
// The fourth power acts on the few edges that stretch most: between the legs of a skirt, at a hip.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/quad_range.h"
#include "skincells/mesh.h"

namespace skincells::loss {

template <class T> class Stretch {
public:
  // Nothing that stretches: costs nothing.
  Stretch() = default;
  // A welded mesh at rest. Edges without length do not count.
  Stretch(std::span<const Vec3<T>> rest, std::span<const Triangle> triangles);

  bool empty() const { return end_.empty(); }

  // The value for the vertices of the range, half of it at each end of an edge, each pose multiplied by its lane
  // weight. Adds the derivative to range.posed_gradient.
  T add(const kernels::QuadRange<T>& range, const T* lane_weight) const;

private:
  std::vector<std::uint32_t> begin_, end_; // by vertex the first of its edges; by edge its other end
  std::vector<T> squared_length_;          // by edge
};

} // namespace skincells::loss
