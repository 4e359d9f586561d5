#include "rig/segment_tree.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace skincells::rig {
namespace {

constexpr std::uint32_t kLeafSize = 4;
constexpr std::size_t kMaxDepth = 64; // halving 2^32 segments needs 32 levels

double squaredDistance(const Box& box, const Vec3d& p) {
  const auto gap = [](double x, double lo, double hi) { return x < lo ? lo - x : x > hi ? x - hi : 0.0; };
  const Vec3d d{gap(p.x, box.lo.x, box.hi.x), gap(p.y, box.lo.y, box.hi.y), gap(p.z, box.lo.z, box.hi.z)};
  return dot(d, d);
}

// Distances to boxes and to segments round differently; without a margin a box could hide a tie.
double withMargin(double squared) {
  return squared * (1 + 1e-12);
}

double middle(const BoneSegment& s, int axis) {
  return axis == 0 ? s.a.x + s.b.x : axis == 1 ? s.a.y + s.b.y : s.a.z + s.b.z;
}

// Inserts a joint into the sorted list of the `count` nearest, or improves its entry.
void offer(std::vector<JointDistance>& best, std::size_t count, const JointDistance& candidate) {
  auto same =
      std::find_if(best.begin(), best.end(), [&](const JointDistance& d) { return d.joint == candidate.joint; });
  if (same == best.end()) {
    if (best.size() == count) {
      if (!(candidate < best.back())) return;
      best.pop_back();
    }
    best.push_back(candidate);
    same = best.end() - 1;
  } else {
    if (!(candidate < *same)) return;
    *same = candidate;
  }
  for (; same != best.begin() && *same < *(same - 1); --same) std::swap(*same, *(same - 1));
}

} // namespace

SegmentTree::SegmentTree(std::vector<BoneSegment> segments) : segments_(std::move(segments)) {
  if (!segments_.empty()) build(0, static_cast<std::uint32_t>(segments_.size()));
}

std::uint32_t SegmentTree::build(std::uint32_t first, std::uint32_t count) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  Box box, middles;
  const auto begin = segments_.begin() + first, end = begin + count;
  for (auto s = begin; s != end; ++s) {
    box.add(s->a);
    box.add(s->b);
    middles.add(s->a + s->b);
  }
  nodes_[index].box = box;
  if (count <= kLeafSize) {
    nodes_[index].first = first;
    nodes_[index].count = count;
    return index;
  }
  const Vec3d size = middles.size();
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const std::uint32_t half = count / 2;
  std::nth_element(begin, begin + half, end,
                   [axis](const BoneSegment& l, const BoneSegment& r) { return middle(l, axis) < middle(r, axis); });
  build(first, half);
  nodes_[index].right = build(first + half, count - half);
  return index;
}

void SegmentTree::nearestJoints(const Vec3d& point, int count, std::vector<JointDistance>& found) const {
  found.clear();
  if (nodes_.empty() || count <= 0) return;
  const auto wanted = static_cast<std::size_t>(count);
  struct Visit {
    std::uint32_t node;
    double squared;
  };
  std::array<Visit, kMaxDepth> stack;
  std::size_t depth = 0;
  stack[depth++] = {0, squaredDistance(nodes_[0].box, point)};
  while (depth > 0) {
    const Visit visit = stack[--depth];
    if (found.size() == wanted && visit.squared > withMargin(found.back().squared)) continue;
    const Node& node = nodes_[visit.node];
    for (std::uint32_t s = node.first; s < node.first + node.count; ++s) {
      const BoneSegment& segment = segments_[s];
      const double squared = closestOnSegment(point, segment.a, segment.b).squared_distance;
      if (found.size() < wanted || squared <= found.back().squared) offer(found, wanted, {squared, segment.joint});
    }
    if (node.count > 0) continue;
    Visit near{visit.node + 1, squaredDistance(nodes_[visit.node + 1].box, point)};
    Visit far{node.right, squaredDistance(nodes_[node.right].box, point)};
    if (far.squared < near.squared) std::swap(near, far);
    SKINCELLS_ASSERT(depth + 2 <= kMaxDepth);
    stack[depth++] = far; // below the nearer child, which is visited first
    stack[depth++] = near;
  }
}

} // namespace skincells::rig
