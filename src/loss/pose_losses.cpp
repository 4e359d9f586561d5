#include "loss/pose_losses.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace skincells::loss {
namespace {

constexpr std::size_t kChunk = 192; // vertices; fixed, because chunks determine the order of sums

template <class T> kernels::QuadRange<T> part(const kernels::QuadRange<T>& all, std::size_t begin, std::size_t end) {
  kernels::QuadRange<T> out = all;
  out.begin = begin;
  out.end = end;
  return out;
}

template <class T> std::vector<T> flatten(std::span<const Vec3<T>> points) {
  std::vector<T> out;
  out.reserve(3 * points.size());
  for (const Vec3<T>& p : points) out.insert(out.end(), {p.x, p.y, p.z});
  return out;
}

} // namespace

template <class T>
PoseLosses<T>::PoseLosses(std::span<const Vec3<T>> rest, std::span<const Triangle> triangles,
                          std::vector<Spring<T>> springs, int max_influences,
                          std::vector<std::uint32_t> tangent_reference)
    : rest_(flatten(rest)), triangles_(triangles.begin(), triangles.end()),
      smoothness_(rest, triangles, std::move(tangent_reference)), location_(std::move(springs), rest.size()),
      sparsity_(max_influences), posed_(kernels::kQuadVector * rest.size()), force_(posed_.size()),
      posed_gradient_(posed_.size()) {}

template <class T> void PoseLosses<T>::setObstacle(const Obstacle& obstacle) {
  std::vector<Vec3<T>> rest;
  for (std::size_t v = 0; v < vertexCount(); ++v) rest.push_back({rest_[3 * v], rest_[3 * v + 1], rest_[3 * v + 2]});
  collision_ = Collision<T>(obstacle, rest, triangles_);
  stretch_ = Stretch<T>(rest, triangles_);
}

// Three passes over the vertices; each needs the whole result of the one before.
template <class T>
void PoseLosses<T>::addQuad(const kernels::QuadRange<T>& all, const deform::PoseQuads<T>& poses, std::size_t quad,
                            const LossWeights& weights, ObstacleMemory<T>& memory, LossValues& values) {
  const kernels::PoseKernels<T>& run = kernels::poseKernels<T>();
  parallelChunks(vertexCount(), kChunk,
                 [&](std::size_t begin, std::size_t end, std::size_t) { run.skinRows(part(all, begin, end)); });

  const auto smoothness_lanes = poses.laneWeights(quad, static_cast<T>(weights.smoothness));
  if (weights.smoothness > 0)
    values.smoothness += orderedSum(vertexCount(), kChunk, 0.0, [&](std::size_t begin, std::size_t end) {
      return static_cast<double>(smoothness_.measure(part(all, begin, end), smoothness_lanes.data()));
    });

  const bool collides = weights.collision > 0 && !collision_.empty();
  if (collides) {
    const auto collision_lanes = poses.laneWeights(quad, static_cast<T>(weights.collision));
    if (memory[quad] == nullptr) memory[quad] = collision_.pose(all.matrices);
    values.collision += collision_.measure(*memory[quad], all.posed, collision_lanes.data());
  }

  const bool stretches = weights.stretch > 0 && !stretch_.empty();
  const auto stretch_lanes = poses.laneWeights(quad, static_cast<T>(weights.stretch));
  const auto location_lanes = poses.laneWeights(quad, static_cast<T>(weights.location));
  const auto sparsity_lanes = poses.laneWeights(quad, static_cast<T>(weights.sparsity));
  std::vector<LossValues> by_chunk((vertexCount() + kChunk - 1) / kChunk);
  parallelChunks(vertexCount(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t c) {
    const kernels::QuadRange<T> range = part(all, begin, end);
    if (weights.smoothness > 0)
      smoothness_.setGradient(range);
    else
      std::fill(range.posed_gradient + begin * kernels::kQuadVector, range.posed_gradient + end * kernels::kQuadVector,
                T(0));
    if (weights.location > 0) by_chunk[c].location = static_cast<double>(location_.add(range, location_lanes.data()));
    if (weights.sparsity > 0) by_chunk[c].sparsity = static_cast<double>(sparsity_.add(range, sparsity_lanes.data()));
    if (collides) collision_.addGradient(range);
    if (stretches) by_chunk[c].stretch = static_cast<double>(stretch_.add(range, stretch_lanes.data()));
    run.skinRowsGradient(range);
  });
  for (const LossValues& chunk : by_chunk) {
    values.location += chunk.location;
    values.sparsity += chunk.sparsity;
    values.stretch += chunk.stretch;
  }
}

template <class T>
LossValues PoseLosses<T>::evaluate(const weights::WeightRowsOf<T>& rows, const deform::PoseQuads<T>& poses,
                                   const LossWeights& weights, std::vector<T>& weight_gradient,
                                   ObstacleMemory<T>* memory) {
  weight_gradient.assign(rows.entryCount(), T(0));
  kernels::QuadRange<T> all{
      .begin = 0,
      .end = vertexCount(),
      .rows = {rows.first.data(), rows.count.data(), rows.joint.data(), rows.weight.data()},
      .rest = rest_.data(),
      .posed = posed_.data(),
      .force = force_.data(),
      .posed_gradient = posed_gradient_.data(),
      .weight_gradient = weight_gradient.data(),
  };
  LossValues values;
  ObstacleMemory<T> forgotten;
  ObstacleMemory<T>& kept = memory != nullptr ? *memory : forgotten;
  kept.resize(poses.quadCount());
  for (std::size_t quad = 0; quad < poses.quadCount(); ++quad) {
    all.matrices = poses.quad(quad);
    addQuad(all, poses, quad, weights, kept, values);
  }
  return values;
}

template class PoseLosses<float>;
template class PoseLosses<double>;

} // namespace skincells::loss
