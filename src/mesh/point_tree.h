// Nearest-point search in a fixed set of points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skincells/math.h"

namespace skincells::mesh {

// A k-d tree over some of the points of a list.
class PointTree {
public:
  // points: all finite; chosen: indices into it.
  PointTree(std::span<const Vec3f> points, std::vector<std::uint32_t> chosen);

  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  // Index of the chosen point nearest to `query` (ties: lowest index); kNone if no point was chosen.
  std::uint32_t nearest(const Vec3d& query) const;

private:
  struct Best {
    double squared;
    std::uint32_t index;
  };
  void build(std::size_t begin, std::size_t end, int axis);
  void search(std::size_t begin, std::size_t end, int axis, const Vec3d& query, Best& best) const;
  double coordinate(std::uint32_t index, int axis) const;

  std::span<const Vec3f> points_;
  std::vector<std::uint32_t> order_; // the middle of a range splits it; the axis changes at each level
};

} // namespace skincells::mesh
