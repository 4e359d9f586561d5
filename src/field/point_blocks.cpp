#include "field/point_blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "base/parallel.h"

namespace skincells::field {
namespace {

constexpr double kNormalSize = 0.06; // a unit of normals, in unit boxes: about the size of a block

// Orders points so that each block of kBlock points is compact: splits recursively along the longest side of the
// bounding box, at a multiple of kBlock. (Morton order is faster to compute, but its blocks jump across the box.)
// Normals are further coordinates: the points of a block then face the same way, and most sites are in front of all of
// them or of none.
void splitInHalves(const FieldPoints& points, std::span<std::uint32_t> order) {
  if (order.size() <= kernels::kBlock) return std::sort(order.begin(), order.end());
  Box box, normal_box;
  for (std::uint32_t v : order) box.add(toDouble(points.positions[v]));
  if (!points.normals.empty())
    for (std::uint32_t v : order) normal_box.add(toDouble(points.normals[v]));
  const auto largest = [](const Vec3d& size) { return std::max({size.x, size.y, size.z}); };
  const bool by_normal = kNormalSize * largest(normal_box.size()) > largest(box.size());
  const std::span<const Vec3f> vectors = by_normal ? points.normals : points.positions;
  const Vec3d size = by_normal ? normal_box.size() : box.size();
  const auto coordinate = [&](std::uint32_t v) {
    const Vec3f& p = vectors[v];
    return size.x >= size.y && size.x >= size.z ? p.x : size.y >= size.z ? p.y : p.z;
  };
  const std::size_t blocks = (order.size() + kernels::kBlock - 1) / kernels::kBlock;
  const std::size_t half = blocks / 2 * kernels::kBlock;
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     const float at_a = coordinate(a), at_b = coordinate(b);
                     return at_a != at_b ? at_a < at_b : a < b;
                   });
  splitInHalves(points, order.first(half));
  splitInHalves(points, order.subspan(half));
}

// Sets vector i of a block.
template <class Block> void place(const Vec3f& v, Block& block, std::size_t i) {
  block.x[i] = v.x;
  block.y[i] = v.y;
  block.z[i] = v.z;
}

kernels::Ball ballAround(std::span<const kernels::BlockPoints> blocks) {
  Box box;
  const auto forEachPoint = [&](const auto& body) {
    for (const kernels::BlockPoints& block : blocks)
      for (std::size_t i = 0; i < kernels::kBlock; ++i) body(Vec3f{block.x[i], block.y[i], block.z[i]});
  };
  forEachPoint([&](const Vec3f& p) { box.add(toDouble(p)); });
  const Vec3f middle = toFloat(box.center());
  float squared = 0;
  forEachPoint([&](const Vec3f& p) { squared = std::max(squared, dot(p - middle, p - middle)); });
  // The margin covers the rounding of L x + b, about 1e-7 of the coordinates.
  const float margin = 1e-5F * (1 + std::abs(middle.x) + std::abs(middle.y) + std::abs(middle.z));
  return {middle.x, middle.y, middle.z, 1.0001F * std::sqrt(squared) + margin};
}

} // namespace

PointBlocks makePointBlocks(const FieldPoints& points, PointOrder order) {
  const std::span<const Vec3f> unit_points = points.positions;
  SKINCELLS_ASSERT(points.normals.empty() || points.normals.size() == unit_points.size());
  PointBlocks out;
  out.count = unit_points.size();
  out.order.resize(out.count);
  std::iota(out.order.begin(), out.order.end(), 0U);
  if (order == PointOrder::Spatial) splitInHalves(points, out.order);
  const std::size_t blocks = (out.count + kernels::kBlock - 1) / kernels::kBlock;
  out.blocks.resize(blocks);
  if (!points.normals.empty()) out.normals.resize(blocks);
  out.balls.resize(blocks);
  out.run_balls.resize((blocks + kRun - 1) / kRun);
  parallelChunks(blocks, kRun, [&](std::size_t begin, std::size_t end, std::size_t run) {
    for (std::size_t b = begin; b < end; ++b) {
      for (std::size_t i = 0; i < kernels::kBlock; ++i) {
        const std::uint32_t v = out.order[std::min(b * kernels::kBlock + i, out.count - 1)];
        place(unit_points[v], out.blocks[b], i);
        if (!out.normals.empty()) place(points.normals[v], out.normals[b], i);
      }
      out.balls[b] = ballAround({&out.blocks[b], 1});
    }
    out.run_balls[run] = ballAround(std::span(out.blocks).subspan(begin, end - begin));
  });
  return out;
}

} // namespace skincells::field
