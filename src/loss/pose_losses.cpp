#include "loss/pose_losses.h"

#include <algorithm>

#include "base/parallel.h"
#include "loss/sparsity.h"

namespace skincells::loss {
namespace {

constexpr std::size_t kChunk = 192; // vertices; chunk borders decide the order of sums, so they are fixed

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
    : rest_(flatten(rest)), smoothness_(rest, triangles, std::move(tangent_reference)),
      location_(std::move(springs), rest.size()), max_influences_(max_influences),
      posed_(kernels::kQuadVector * rest.size()), force_(posed_.size()), posed_gradient_(posed_.size()) {}

template <class T> void PoseLosses<T>::pose(const weights::WeightRowsOf<T>& rows, const T* matrices) {
  parallelChunks(vertexCount(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    deform::skinQuad(rows, begin, end, rest_.data(), matrices, posed_.data());
  });
}

template <class T> double PoseLosses<T>::measureSmoothness(const std::array<T, kernels::kQuad>& lane_weight) {
  return orderedSum(vertexCount(), kChunk, 0.0, [&](std::size_t begin, std::size_t end) {
    return static_cast<double>(smoothness_.measure(begin, end, posed_.data(), lane_weight.data(), force_.data()));
  });
}

template <class T>
void PoseLosses<T>::carryBack(const weights::WeightRowsOf<T>& rows, const deform::PoseQuads<T>& poses, std::size_t quad,
                              const LossWeights& weights, std::vector<T>& weight_gradient, LossValues& values) {
  const T* matrices = poses.quad(quad);
  const auto location_lanes = poses.laneWeights(quad, static_cast<T>(weights.location));
  const auto sparsity_lanes = poses.laneWeights(quad, static_cast<T>(weights.sparsity));
  const std::size_t chunks = (vertexCount() + kChunk - 1) / kChunk;
  std::vector<LossValues> by_chunk(chunks);
  parallelChunks(vertexCount(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t c) {
    T* gradient = posed_gradient_.data();
    if (weights.smoothness > 0)
      smoothness_.gradient(begin, end, force_.data(), gradient);
    else
      std::fill(gradient + begin * kernels::kQuadVector, gradient + end * kernels::kQuadVector, T(0));
    if (weights.location > 0)
      by_chunk[c].location = static_cast<double>(
          location_.addGradient(begin, end, posed_.data(), matrices, location_lanes.data(), gradient));
    if (weights.sparsity > 0)
      by_chunk[c].sparsity =
          static_cast<double>(addSparsity(rows, max_influences_, begin, end, rest_.data(), matrices, posed_.data(),
                                          sparsity_lanes.data(), gradient, weight_gradient.data()));
    deform::addWeightGradient(rows, begin, end, rest_.data(), matrices, gradient, weight_gradient.data());
  });
  for (const LossValues& v : by_chunk) values.location += v.location, values.sparsity += v.sparsity;
}

template <class T>
LossValues PoseLosses<T>::evaluate(const weights::WeightRowsOf<T>& rows, const deform::PoseQuads<T>& poses,
                                   const LossWeights& weights, std::vector<T>& weight_gradient) {
  LossValues values;
  weight_gradient.assign(rows.entryCount(), T(0));
  for (std::size_t quad = 0; quad < poses.quadCount(); ++quad) {
    pose(rows, poses.quad(quad));
    if (weights.smoothness > 0)
      values.smoothness += measureSmoothness(poses.laneWeights(quad, static_cast<T>(weights.smoothness)));
    carryBack(rows, poses, quad, weights, weight_gradient, values);
  }
  return values;
}

template class PoseLosses<float>;
template class PoseLosses<double>;

} // namespace skincells::loss
