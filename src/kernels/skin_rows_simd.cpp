// Skinning and its derivative in Highway; skin_rows_scalar.cpp says what they compute.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/skin_rows_simd.cpp"
#include <hwy/foreach_target.h> // before highway.h, and so in a group of its own

#include <hwy/highway.h>

#include "kernels/choose.h"
#include "kernels/skin_rows.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Matrix = hn::CappedTag<float, 16>;  // divides kQuadMatrix
using Quad = hn::CappedTag<float, kQuad>; // divides kQuadVector

// The joints' matrices are blended first (48 floats, full vectors), then applied once per vertex.
void SkinRows(const RowView& rows, std::size_t begin, std::size_t end, const float* HWY_RESTRICT rest,
              const float* HWY_RESTRICT matrices, float* HWY_RESTRICT posed) {
  const Matrix dm;
  const Quad dq;
  const std::size_t n = hn::Lanes(dm);
  HWY_ALIGN float blended[kQuadMatrix];
  for (std::size_t v = begin; v < end; ++v) {
    for (std::size_t i = 0; i < kQuadMatrix; i += 3 * n) { // three sums hide the latency of one
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
void SkinRowsGradient(const RowView& rows, std::size_t begin, std::size_t end, const float* HWY_RESTRICT rest,
                      const float* HWY_RESTRICT matrices, const float* HWY_RESTRICT posed_gradient,
                      float* HWY_RESTRICT weight_gradient) {
  const Matrix dm;
  const Quad dq;
  HWY_ALIGN float outer[kQuadMatrix];
  for (std::size_t v = begin; v < end; ++v) {
    for (std::size_t i = 0; i < kQuadVector; i += hn::Lanes(dq)) {
      const auto g = hn::LoadU(dq, posed_gradient + v * kQuadVector + i);
      for (std::size_t c = 0; c < 3; ++c)
        hn::StoreU(hn::Mul(g, hn::Set(dq, rest[3 * v + c])), dq, outer + c * kQuadVector + i);
      hn::StoreU(g, dq, outer + 3 * kQuadVector + i);
    }
    for (std::size_t e = rows.first[v]; e < rows.first[v] + rows.count[v]; ++e) {
      const float* matrix = matrices + rows.joint[e] * kQuadMatrix;
      auto sum = hn::Zero(dm);
      for (std::size_t i = 0; i < kQuadMatrix; i += hn::Lanes(dm))
        sum = hn::MulAdd(hn::Load(dm, outer + i), hn::LoadU(dm, matrix + i), sum);
      weight_gradient[e] += hn::GetLane(hn::SumOfLanes(dm, sum));
    }
  }
}

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels {

HWY_EXPORT(SkinRows);
HWY_EXPORT(SkinRowsGradient);

void skinRows(const RowView& rows, std::size_t begin, std::size_t end, const float* rest, const float* matrices,
              float* posed) {
  if (useScalar()) return scalar::skinRows(rows, begin, end, rest, matrices, posed);
  HWY_DYNAMIC_DISPATCH(SkinRows)(rows, begin, end, rest, matrices, posed);
}

void skinRowsGradient(const RowView& rows, std::size_t begin, std::size_t end, const float* rest, const float* matrices,
                      const float* posed_gradient, float* weight_gradient) {
  if (useScalar()) return scalar::skinRowsGradient(rows, begin, end, rest, matrices, posed_gradient, weight_gradient);
  HWY_DYNAMIC_DISPATCH(SkinRowsGradient)(rows, begin, end, rest, matrices, posed_gradient, weight_gradient);
}

} // namespace skincells::kernels
#endif
