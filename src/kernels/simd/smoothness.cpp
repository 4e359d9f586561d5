// The smoothness loops in Highway; smoothness-inl.h holds the loops themselves.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/smoothness.cpp"
#include <hwy/foreach_target.h> // has to precede highway.h, hence in a separate group

#include <hwy/highway.h>

#include "kernels/parts.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels::simd {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // it lacks the four lanes that the loops need

static void setEntries(Kernels&) {}

#else

#include "kernels/simd/quad-inl.h"

#include "kernels/smoothness-inl.h"

#if HWY_MAX_BYTES >= 32

using Eight = hn::Vec<hn::FixedTag<float, 8>>;

// The rings of several vertices, waiting for the second half of the work. The roots and divisions of one vertex depend
// on each other; for two vertices at a time and after the rings of the whole batch, they overlap.
struct RingBatch {
  static constexpr std::size_t kCapacity = 16;
  using Numbers = float[3][4 * kCapacity]; // by axis, vertex and pose

  HWY_ALIGN Numbers mean, normal, edge, detail;
  std::size_t vertex[kCapacity], count = 0;
};

HWY_INLINE void put(const QuadVector<Four>& from, RingBatch::Numbers& to, std::size_t i) {
  store(from.x, to[0] + 4 * i);
  store(from.y, to[1] + 4 * i);
  store(from.z, to[2] + 4 * i);
}

HWY_INLINE QuadVector<Eight> pairAt(const RingBatch::Numbers& from, std::size_t i) {
  return {load<Eight>(from[0] + 4 * i), load<Eight>(from[1] + 4 * i), load<Eight>(from[2] + 4 * i)};
}

HWY_INLINE void add(const PosedRing<Four>& ring, const QuadVector<Four>& detail, RingBatch& batch) {
  const std::size_t i = batch.count++;
  put(ring.mean, batch.mean, i);
  put(ring.normal, batch.normal, i);
  put(ring.edge, batch.edge, i);
  put(detail, batch.detail, i);
}

// Writes the forces of the batch's vertices and empties it; returns the sum of weight * |residual|^2.
HWY_INLINE Eight flush(RingBatch& batch, Eight weight, float* force) {
  const hn::FixedTag<float, 4> half;
  const Four zero = hn::Zero(half);
  const std::size_t count = batch.count;
  if (count % 2 == 1) add({{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}}, {zero, zero, zero}, batch);
  Eight sum = broadcast<Eight>(0.0F);
  for (std::size_t i = 0; i < count; i += 2) {
    const QuadVector<Eight> r = residualOf<Eight>(
        {pairAt(batch.mean, i), pairAt(batch.normal, i), pairAt(batch.edge, i)}, pairAt(batch.detail, i));
    sum = mulAdd(weight, dot(r, r), sum);
    const QuadVector<Eight> f = times(r, hn::Add(weight, weight));
    const QuadVector<Four> first = {hn::LowerHalf(half, f.x), hn::LowerHalf(half, f.y), hn::LowerHalf(half, f.z)};
    storeVector(first, force + 12 * batch.vertex[i]);
    if (i + 1 == count) break;
    const QuadVector<Four> second = {hn::UpperHalf(half, f.x), hn::UpperHalf(half, f.y), hn::UpperHalf(half, f.z)};
    storeVector(second, force + 12 * batch.vertex[i + 1]);
  }
  batch.count = 0;
  return sum;
}

float smoothnessForces(const SmoothnessView<float>& mesh, const QuadRange<float>& range, const float* lane_weight,
                       float* scratch) {
  const float* posed = range.posed;
  float* force = range.force;
  const Four lanes = load<Four>(lane_weight), zero = broadcast<Four>(0.0F);
  const Eight weight = hn::Combine(hn::FixedTag<float, 8>(), lanes, lanes);
  Eight sum = broadcast<Eight>(0.0F);
  RingBatch batch;
  for (std::size_t v = range.begin, end = range.end; v < end; ++v) {
    if (mesh.reference[v] == kNoFrame) {
      storeVector(QuadVector<Four>{zero, zero, zero}, force + 12 * v);
      continue;
    }
    batch.vertex[batch.count] = v;
    add(posedRing<Four>(mesh, v, posed, scratch), restDetail<Four>(mesh, v), batch);
    if (batch.count == RingBatch::kCapacity) sum = hn::Add(sum, flush(batch, weight, force));
  }
  sum = hn::Add(sum, flush(batch, weight, force));
  return hn::GetLane(hn::SumOfLanes(hn::FixedTag<float, 8>(), sum));
}

#else

float smoothnessForces(const SmoothnessView<float>& mesh, const QuadRange<float>& range, const float* lane_weight,
                       float* scratch) {
  return forcesWith<Four>(mesh, range, lane_weight, scratch);
}

#endif

void transposedLaplacian(const SmoothnessView<float>& mesh, const QuadRange<float>& range) {
  transposedWith<Four>(mesh, range);
}

static void setEntries(Kernels& table) {
  table.smoothnessForces = smoothnessForces;
  table.transposedLaplacian = transposedLaplacian;
}

#endif

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels::simd {

HWY_EXPORT(setEntries);

void setSmoothness(Kernels& table) {
  HWY_DYNAMIC_DISPATCH(setEntries)(table);
}

} // namespace skincells::kernels::simd
#endif
