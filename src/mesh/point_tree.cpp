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

// Only the nearest point.
class PointTree::One {
public:
  void offer(const Best& b) {
    if (b < best) best = b;
  }
  double reach() const { return best.squared; } // squared; points farther away are not wanted

  Best best{INFINITY, kNone};
};

// Several points, as a heap with the farthest of them on top.
class PointTree::Several {
public:
  explicit Several(std::size_t count) : count_(count) { heap.reserve(count); }
  void offer(const Best& b) {
    if (heap.size() == count_) {
      if (!(b < heap.front())) return;
      std::ranges::pop_heap(heap);
      heap.pop_back();
    }
    heap.push_back(b);
    std::ranges::push_heap(heap);
  }
  double reach() const { return heap.size() < count_ ? INFINITY : heap.front().squared; }

  std::vector<Best> heap;

private:
  std::size_t count_;
};

template <class Found>
void PointTree::search(std::size_t begin, std::size_t end, int axis, const Vec3d& query, Found& found) const {
  if (begin == end) return;
  const std::size_t middle = begin + (end - begin) / 2;
  const std::uint32_t index = order_[middle];
  const Vec3d offset = toDouble(points_[index]) - query;
  found.offer({dot(offset, offset), index});
  const double beyond = component(query, axis) - coordinate(index, axis);
  const int next = (axis + 1) % 3;
  if (beyond <= 0) {
    search(begin, middle, next, query, found);
    if (beyond * beyond <= found.reach()) search(middle + 1, end, next, query, found);
  } else {
    search(middle + 1, end, next, query, found);
    if (beyond * beyond <= found.reach()) search(begin, middle, next, query, found);
  }
}

std::uint32_t PointTree::nearest(const Vec3d& query) const {
  One found;
  search(0, order_.size(), 0, query, found);
  return found.best.index;
}

void PointTree::nearest(const Vec3d& query, std::size_t count, std::vector<std::uint32_t>& out) const {
  out.clear();
  if (count == 0) return;
  Several found(std::min(count, order_.size()));
  search(0, order_.size(), 0, query, found);
  std::ranges::sort_heap(found.heap);
  for (const Best& b : found.heap) out.push_back(b.index);
}

} // namespace skincells::mesh
