// Skinning and its derivative in Highway; scalar/skin_rows.cpp is their definition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/skin_rows.cpp"
#include <hwy/foreach_target.h> // has to precede highway.h, hence in a separate group

#include <hwy/highway.h>

#include "kernels/parts.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Matrix = hn::CappedTag<float, 16>;  // divides kQuadMatrix
using Quad = hn::CappedTag<float, kQuad>; // divides kQuadVector

// The joints' matrices are blended first (48 floats, full vectors), then applied once per vertex.
void skinRows(const QuadRange<float>& range) {
  const RowView<float> rows = range.rows;
  const float *HWY_RESTRICT rest = range.rest, *HWY_RESTRICT matrices = range.matrices;
  float* HWY_RESTRICT posed = range.posed;
  const Matrix dm;
  const Quad dq;
  const std::size_t n = hn::Lanes(dm);
  HWY_ALIGN float blended[kQuadMatrix];
  for (std::size_t v = range.begin, end = range.end; v < end; ++v) {
    for (std::size_t i = 0; i < kQuadMatrix; i += 3 * n) { // three sums at a time hide latency
      auto sum0 = hn::Zero(dm), sum1 = sum0, sum2 = sum0;
      for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
        const auto weight = hn::Set(dm, rows.weight[e]);
        const float* matrix = matrices + rows.joint[e] * kQuadMatrix + i;
        sum0 = hn::MulAdd(weight, hn::LoadU(dm, matrix), sum0);
        sum1 = hn::MulAdd(weight, hn::LoadU(dm, matrix + n), sum1);
        sum2 = hn::MulAdd(weight, hn::LoadU(dm, matrix + 2 * n), sum2);
      }
      hn::Store(sum0, dm, blended + i);
      hn::Store(sum1, dm, blended + i + n);
      hn::Store(sum2, dm, blended + i + 2 * n);
    }
    const auto x = hn::Set(dq, rest[3 * v]), y = hn::Set(dq, rest[3 * v + 1]), z = hn::Set(dq, rest[3 * v + 2]);
    for (std::size_t i = 0; i < kQuadVector; i += hn::Lanes(dq)) {
      const auto column = [&](std::size_t c) HWY_ATTR { return hn::LoadU(dq, blended + c * kQuadVector + i); };
      const auto sum = hn::MulAdd(column(0), x, hn::MulAdd(column(1), y, hn::MulAdd(column(2), z, column(3))));
      hn::StoreU(sum, dq, posed + v * kQuadVector + i);
    }
  }
}

// <g, M x> = <g x^T, M>: the outer product once per vertex, then one full-vector dot product per entry.
#if HWY_MAX_BYTES >= 32 && HWY_TARGET != HWY_SCALAR

// Each vector holds two matrix rows of four poses. The 48 numbers of the outer product stay in six vectors: if they
// were written as quads and read back as vectors of eight, every load would wait for the stores.
void skinRowsGradient(const QuadRange<float>& range) {
  const RowView<float> rows = range.rows;
  const float *HWY_RESTRICT rest = range.rest, *HWY_RESTRICT matrices = range.matrices;
  const float* HWY_RESTRICT posed_gradient = range.posed_gradient;
  float* HWY_RESTRICT weight_gradient = range.weight_gradient;
  const hn::FixedTag<float, 8> d;
  for (std::size_t v = range.begin, end = range.end; v < end; ++v) {
    const float* g = posed_gradient + v * kQuadVector;
    const auto xy = hn::LoadU(d, g), yz = hn::LoadU(d, g + kQuad), zx = hn::ConcatLowerUpper(d, xy, yz);
    const auto x = hn::Set(d, rest[3 * v]), y = hn::Set(d, rest[3 * v + 1]), z = hn::Set(d, rest[3 * v + 2]);
    const auto one = hn::Set(d, 1.0F);
    const auto outer0 = hn::Mul(xy, x), outer1 = hn::Mul(zx, hn::ConcatLowerLower(d, y, x)), outer2 = hn::Mul(yz, y);
    const auto outer3 = hn::Mul(xy, z), outer4 = hn::Mul(zx, hn::ConcatLowerLower(d, one, z));
    for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
      const float* matrix = matrices + rows.joint[e] * kQuadMatrix;
      const auto part = [&](std::size_t i) HWY_ATTR { return hn::LoadU(d, matrix + 8 * i); };
      const auto even = hn::MulAdd(outer0, part(0), hn::MulAdd(outer2, part(2), hn::Mul(outer4, part(4))));
      const auto odd = hn::MulAdd(outer1, part(1), hn::MulAdd(outer3, part(3), hn::Mul(yz, part(5))));
      weight_gradient[e] += hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
    }
  }
}

#else

void skinRowsGradient(const QuadRange<float>& range) {
  const RowView<float> rows = range.rows;
  const float *HWY_RESTRICT rest = range.rest, *HWY_RESTRICT matrices = range.matrices;
  const float* HWY_RESTRICT posed_gradient = range.posed_gradient;
  float* HWY_RESTRICT weight_gradient = range.weight_gradient;
  const Quad dq;
  HWY_ALIGN float outer[kQuadMatrix];
  for (std::size_t v = range.begin, end = range.end; v < end; ++v) {
    for (std::size_t i = 0; i < kQuadVector; i += hn::Lanes(dq)) {
      const auto g = hn::LoadU(dq, posed_gradient + v * kQuadVector + i);
      for (std::size_t c = 0; c < 3; ++c)
        hn::StoreU(hn::Mul(g, hn::Set(dq, rest[3 * v + c])), dq, outer + c * kQuadVector + i);
      hn::StoreU(g, dq, outer + 3 * kQuadVector + i);
    }
    for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
      const float* matrix = matrices + rows.joint[e] * kQuadMatrix;
      auto sum = hn::Zero(dq);
      for (std::size_t i = 0; i < kQuadMatrix; i += hn::Lanes(dq))
        sum = hn::MulAdd(hn::Load(dq, outer + i), hn::LoadU(dq, matrix + i), sum);
      weight_gradient[e] += hn::GetLane(hn::SumOfLanes(dq, sum));
    }
  }
}

#endif

static void setEntries(Kernels& table) {
  table.skinRows = skinRows;
  table.skinRowsGradient = skinRowsGradient;
}

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels::simd {

HWY_EXPORT(setEntries);

void setSkinRows(Kernels& table) {
  HWY_DYNAMIC_DISPATCH(setEntries)(table);
}

} // namespace skincells::kernels::simd
#endif
