// Nearest-point search in a fixed set of points.
#pragma once

#include <compare>
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
  // The same for the `count` nearest points, nearest first; all of them if there are fewer.
  void nearest(const Vec3d& query, std::size_t count, std::vector<std::uint32_t>& out) const;

private:
  struct Best {
    double squared;
    std::uint32_t index;

    friend auto operator<=>(const Best&, const Best&) = default;
  };
  void build(std::size_t begin, std::size_t end, int axis);
  class One;
  class Several;
  template <class Found>
  void search(std::size_t begin, std::size_t end, int axis, const Vec3d& query, Found& found) const;
  double coordinate(std::uint32_t index, int axis) const;

  std::span<const Vec3f> points_;
  std::vector<std::uint32_t> order_; // the middle of a range splits it; the axis changes at each level
};

} // namespace skincells::mesh
