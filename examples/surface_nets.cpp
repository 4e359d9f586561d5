#include "surface_nets.h"

#include <cmath>
#include <deque>
#include <unordered_map>

namespace skincells::examples {
namespace {

using Cell = std::array<int, 3>;

class Walker {
public:
  Walker(const Field& field, double cell) : field_(&field), size_(cell) {}

  Surface run() {
    for (const Shape& s : field_->shapes())
      if (!s.carve) seed(s);
    while (!queue_.empty()) {
      const Cell c = queue_.front();
      queue_.pop_front();
      visit(c);
    }
    for (const Cell& c : cells_) addQuads(c);
    for (Vec3d& p : surface_.positions) p = field_->project(p);
    return std::move(surface_);
  }

private:
  static std::uint64_t key(const Cell& c) {
    const auto bits = [](int x) { return static_cast<std::uint64_t>(x + (1 << 20)); };
    return bits(c[0]) << 42U | bits(c[1]) << 21U | bits(c[2]);
  }
  static Cell moved(Cell c, int axis, int by) { return c[static_cast<std::size_t>(axis)] += by, c; }
  static Cell corner(const Cell& c, int bits) {
    return {c[0] + (bits & 1), c[1] + (bits >> 1 & 1), c[2] + (bits >> 2)};
  }
  Vec3d place(const Cell& c) const { return Vec3d{1.0 * c[0], 1.0 * c[1], 1.0 * c[2]} * size_; }

  double sample(const Cell& c) {
    const auto [entry, fresh] = samples_.try_emplace(key(c));
    if (fresh) entry->second = field_->value(place(c));
    return entry->second;
  }
  bool inside(const Cell& c) { return sample(c) < 0; }

  // From the middle of a shape along each axis until the surface is crossed, if it is.
  void seed(const Shape& shape) {
    const Vec3d p = shape.center();
    const Cell start{static_cast<int>(std::lround(p.x / size_)), static_cast<int>(std::lround(p.y / size_)),
                     static_cast<int>(std::lround(p.z / size_))};
    const int steps = static_cast<int>(shape.boundingRadius() / size_) + 2;
    for (int axis = 0; axis < 3; ++axis)
      for (const int way : {-1, 1}) {
        Cell c = start;
        for (int k = 0; k < steps; ++k) {
          const Cell next = moved(c, axis, way);
          if (inside(c) != inside(next)) {
            push(way > 0 ? c : next);
            break;
          }
          c = next;
        }
      }
  }

  void push(const Cell& c) {
    const auto [entry, fresh] = vertex_of_cell_.try_emplace(key(c), 0U);
    if (!fresh) return;
    entry->second = static_cast<std::uint32_t>(cells_.size());
    cells_.push_back(c);
    queue_.push_back(c);
  }

  // The cell's vertex is the mean of the crossings on its edges; neighbors over a crossed face come next.
  void visit(const Cell& c) {
    std::array<double, 8> v{};
    for (int k = 0; k < 8; ++k) v[static_cast<std::size_t>(k)] = sample(corner(c, k));
    Vec3d sum;
    int crossings = 0;
    for (int a = 0; a < 8; ++a)
      for (int axis = 0; axis < 3; ++axis) {
        const int b = a | 1 << axis;
        const double va = v[static_cast<std::size_t>(a)], vb = v[static_cast<std::size_t>(b)];
        if (a == b || (va < 0) == (vb < 0)) continue;
        const Vec3d pa = place(corner(c, a)), pb = place(corner(c, b));
        sum += pa + (pb - pa) * (va / (va - vb));
        ++crossings;
      }
    surface_.positions.push_back(sum * (1.0 / crossings));
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 2; ++side)
        if (faceCrossed(v, axis, side)) push(moved(c, axis, side == 0 ? -1 : 1));
  }

  static bool faceCrossed(const std::array<double, 8>& v, int axis, int side) {
    int inside_count = 0;
    for (int k = 0; k < 8; ++k)
      if ((k >> axis & 1) == side && v[static_cast<std::size_t>(k)] < 0) ++inside_count;
    return inside_count > 0 && inside_count < 4;
  }

  std::uint32_t vertexOf(const Cell& c) const { return vertex_of_cell_.at(key(c)); }

  // One quad for each crossed edge that starts in the cell's lowest corner, over the four cells around it.
  void addQuads(const Cell& c) {
    for (int axis = 0; axis < 3; ++axis) {
      const bool here = inside(c), there = inside(moved(c, axis, 1));
      if (here == there) continue;
      const int b = (axis + 1) % 3, d = (axis + 2) % 3;
      std::array<std::uint32_t, 4> q{vertexOf(c), vertexOf(moved(c, b, -1)), vertexOf(moved(moved(c, b, -1), d, -1)),
                                     vertexOf(moved(c, d, -1))};
      if (there) std::swap(q[1], q[3]);
      const auto p = [&](int k) { return surface_.positions[q[static_cast<std::size_t>(k)]]; };
      if (length(p(0) - p(2)) < length(p(1) - p(3))) {
        surface_.triangles.push_back({q[0], q[1], q[2]});
        surface_.triangles.push_back({q[0], q[2], q[3]});
      } else {
        surface_.triangles.push_back({q[1], q[2], q[3]});
        surface_.triangles.push_back({q[1], q[3], q[0]});
      }
    }
  }

  const Field* field_;
  double size_;
  Surface surface_;
  std::vector<Cell> cells_; // in the order of their vertices
  std::deque<Cell> queue_;
  std::unordered_map<std::uint64_t, std::uint32_t> vertex_of_cell_;
  std::unordered_map<std::uint64_t, double> samples_;
};

} // namespace

Surface surfaceNets(const Field& field, double cell) {
  return Walker(field, cell).run();
}

} // namespace skincells::examples
