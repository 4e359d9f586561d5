#include "deform/lbs.h"

#include "base/assert.h"
#include "base/parallel.h"

namespace skincells::deform {
namespace {

Vec3f skinVertex(const Vec3f& rest, std::span<const std::uint16_t> joints, std::span<const float> weights,
                 const Pose& pose) {
  const Vec3d p = toDouble(rest);
  Vec3d sum;
  bool moved = false;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0) continue;
    sum += pose[joints[k]].apply(p) * static_cast<double>(weights[k]);
    moved = true;
  }
  return moved ? toFloat(sum) : rest;
}

} // namespace

void skin(std::span<const Vec3f> rest, const SparseWeights& weights, const Pose& pose, std::span<Vec3f> out) {
  SKINCELLS_ASSERT(weights.vertexCount() == rest.size() && out.size() == rest.size());
  parallelChunks(rest.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t v = begin; v < end; ++v)
      out[v] = skinVertex(rest[v], weights.jointRow(v), weights.weightRow(v), pose);
  });
}

} // namespace skincells::deform
