#include "mesh/point_tree.h"

#include <algorithm>
#include <cmath>

namespace skincells::mesh {
namespace {

double component(const Vec3d& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

} // namespace

PointTree::PointTree(std::span<const Vec3f> points, std::vector<std::uint32_t> chosen)
    : points_(points), order_(std::move(chosen)) {
  build(0, order_.size(), 0);
}

double PointTree::coordinate(std::uint32_t index, int axis) const {
  return component(toDouble(points_[index]), axis);
}

void PointTree::build(std::size_t begin, std::size_t end, int axis) {
  if (end - begin < 2) return;
  const std::size_t middle = begin + (end - begin) / 2;
  const auto at = [this](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end), [this, axis](std::uint32_t a, std::uint32_t b) {
    const double x = coordinate(a, axis), y = coordinate(b, axis);
    return x != y ? x < y : a < b;
  });
  build(begin, middle, (axis + 1) % 3);
  build(middle + 1, end, (axis + 1) % 3);
}

void PointTree::search(std::size_t begin, std::size_t end, int axis, const Vec3d& query, Best& best) const {
  if (begin == end) return;
  const std::size_t middle = begin + (end - begin) / 2;
  const std::uint32_t index = order_[middle];
  const Vec3d offset = toDouble(points_[index]) - query;
  const double squared = dot(offset, offset);
  if (squared < best.squared || (squared == best.squared && index < best.index)) best = {squared, index};
  const double beyond = component(query, axis) - coordinate(index, axis);
  const int next = (axis + 1) % 3;
  if (beyond <= 0) {
    search(begin, middle, next, query, best);
    if (beyond * beyond <= best.squared) search(middle + 1, end, next, query, best);
  } else {
    search(middle + 1, end, next, query, best);
    if (beyond * beyond <= best.squared) search(begin, middle, next, query, best);
  }
}

std::uint32_t PointTree::nearest(const Vec3d& query) const {
  Best best{INFINITY, kNone};
  search(0, order_.size(), 0, query, best);
  return best.index;
}

} // namespace skincells::mesh
