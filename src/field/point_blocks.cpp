#include "field/point_blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"

namespace skincells::field {
namespace {

// The low 10 bits of v, spread out to every third bit.
std::uint32_t everyThirdBit(std::uint32_t v) {
  v = (v | (v << 16U)) & 0x030000FFU;
  v = (v | (v << 8U)) & 0x0300F00FU;
  v = (v | (v << 4U)) & 0x030C30C3U;
  return (v | (v << 2U)) & 0x09249249U;
}

std::vector<std::uint32_t> mortonOrder(std::span<const Vec3f> points) {
  Box box;
  for (const Vec3f& p : points) box.add(toDouble(p));
  const Vec3d size = box.size();
  const double scale = 1023 / std::max({size.x, size.y, size.z, 1e-30});
  std::vector<std::pair<std::uint32_t, std::uint32_t>> keyed(points.size()); // (code, point): ties by index
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3d at = (toDouble(points[i]) - box.lo) * scale;
    const auto bits = [](double v) { return everyThirdBit(static_cast<std::uint32_t>(v)); };
    keyed[i] = {bits(at.x) | (bits(at.y) << 1U) | (bits(at.z) << 2U), static_cast<std::uint32_t>(i)};
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::uint32_t> order(points.size());
  std::transform(keyed.begin(), keyed.end(), order.begin(), [](const auto& k) { return k.second; });
  return order;
}

kernels::Ball ballAround(const kernels::BlockPoints& block) {
  Box box;
  for (std::size_t i = 0; i < kernels::kBlock; ++i) box.add({block.x[i], block.y[i], block.z[i]});
  const Vec3f middle = toFloat(box.center());
  float squared = 0;
  for (std::size_t i = 0; i < kernels::kBlock; ++i) {
    const Vec3f off = Vec3f{block.x[i], block.y[i], block.z[i]} - middle;
    squared = std::max(squared, dot(off, off));
  }
  // The margin covers the rounding of L x + b, about 1e-7 of the coordinates.
  const float margin = 1e-5F * (1 + std::abs(middle.x) + std::abs(middle.y) + std::abs(middle.z));
  return {middle.x, middle.y, middle.z, 1.0001F * std::sqrt(squared) + margin};
}

} // namespace

PointBlocks makePointBlocks(std::span<const Vec3f> unit_points, PointOrder order) {
  PointBlocks out;
  out.count = unit_points.size();
  if (order == PointOrder::Spatial) {
    out.order = mortonOrder(unit_points);
  } else {
    out.order.resize(out.count);
    std::iota(out.order.begin(), out.order.end(), 0U);
  }
  const std::size_t blocks = (out.count + kernels::kBlock - 1) / kernels::kBlock;
  out.blocks.resize(blocks), out.balls.resize(blocks);
  parallelChunks(blocks, 64, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t b = begin; b < end; ++b) {
      for (std::size_t i = 0; i < kernels::kBlock; ++i) {
        const Vec3f& p = unit_points[out.order[std::min(b * kernels::kBlock + i, out.count - 1)]];
        out.blocks[b].x[i] = p.x, out.blocks[b].y[i] = p.y, out.blocks[b].z[i] = p.z;
      }
      out.balls[b] = ballAround(out.blocks[b]);
    }
  });
  return out;
}

} // namespace skincells::field
