// The field's hot loops in Highway; field_block_scalar.cpp says what they compute. Logarithms are within 4 units in
// the last place and exponentials within 1 (hwy/contrib/math), so log_raw is off by about 5e-7 r of itself.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/field_block_simd.cpp"
#include <hwy/foreach_target.h> // before highway.h, and so in a group of its own

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cfloat>
#include <limits>

#include "kernels/choose.h"
#include "kernels/field_block.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Lane = hn::CappedTag<float, kJointLanes>; // divides kBlock and the padded joint count
using Vector = hn::Vec<Lane>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// h^2 from d^2.
HWY_INLINE Vector smoothed(Lane d, Vector squared, Vector t2, Vector k) {
  const Vector inside = hn::Max(hn::Sub(t2, squared), hn::Zero(d));
  return hn::MulAdd(hn::Mul(inside, inside), k, squared);
}

// The nearest site so far, for the points of one vector.
struct Nearest {
  Vector squared;
  hn::Vec<hn::RebindToSigned<Lane>> site;
};

HWY_INLINE void visit(Lane d, const SiteForm& f, std::uint32_t index, Vector x, Vector y, Vector z, Nearest& nearest) {
  const hn::RebindToSigned<Lane> di;
  const Vector y0 = hn::MulAdd(hn::Set(d, f.l00), x, hn::Set(d, f.b0));
  const Vector y1 = hn::MulAdd(hn::Set(d, f.l10), x, hn::MulAdd(hn::Set(d, f.l11), y, hn::Set(d, f.b1)));
  const Vector y2 = hn::MulAdd(hn::Set(d, f.l20), x,
                               hn::MulAdd(hn::Set(d, f.l21), y, hn::MulAdd(hn::Set(d, f.l22), z, hn::Set(d, f.b2))));
  const Vector d2 = hn::MulAdd(y0, y0, hn::MulAdd(y1, y1, hn::Mul(y2, y2)));
  const Vector h2 = smoothed(d, d2, hn::Set(d, f.t2), hn::Set(d, f.k));
  const auto nearer = hn::Lt(h2, nearest.squared);
  nearest.squared = hn::IfThenElse(nearer, h2, nearest.squared);
  nearest.site =
      hn::IfThenElse(hn::RebindMask(di, nearer), hn::Set(di, static_cast<std::int32_t>(index)), nearest.site);
}

// Two vectors of points at a time share the broadcasts of each site's numbers.
void CellDistances(const SiteForm* HWY_RESTRICT forms, const CellList& cells, const BlockPoints& points,
                   float* HWY_RESTRICT squared, std::int32_t* HWY_RESTRICT site) {
  const Lane d;
  const hn::RebindToSigned<Lane> di;
  const std::size_t cell_count = cells.size(), n = hn::Lanes(d);
  static_assert(kBlock % (2 * kJointLanes) == 0);
  for (std::size_t i = 0; i < kBlock; i += 2 * n) {
    const Vector x0 = hn::Load(d, points.x + i), y0 = hn::Load(d, points.y + i), z0 = hn::Load(d, points.z + i);
    const Vector x1 = hn::Load(d, points.x + i + n), y1 = hn::Load(d, points.y + i + n);
    const Vector z1 = hn::Load(d, points.z + i + n);
    for (std::size_t a = 0; a < cell_count; ++a) {
      Nearest first{hn::Set(d, kInfinity), hn::Zero(di)}, second = first;
      for (std::uint32_t e = cells.begin[a]; e < cells.begin[a + 1]; ++e) {
        const std::uint32_t index = cells.site[e];
        visit(d, forms[index], index, x0, y0, z0, first);
        visit(d, forms[index], index, x1, y1, z1, second);
      }
      hn::StoreU(first.squared, d, squared + a * kBlock + i);
      hn::StoreU(second.squared, d, squared + a * kBlock + i + n);
      hn::StoreU(first.site, di, site + a * kBlock + i);
      hn::StoreU(second.site, di, site + a * kBlock + i + n);
    }
  }
}

void CellBounds(const SiteTable& table, const Ball& ball, float* HWY_RESTRICT site_lower2, float* HWY_RESTRICT lower2,
                float* HWY_RESTRICT upper2, float* HWY_RESTRICT far_log_raw) {
  const Lane d;
  const Vector x = hn::Set(d, ball.x), y = hn::Set(d, ball.y), z = hn::Set(d, ball.z);
  const Vector radius = hn::Set(d, ball.radius);
  for (std::size_t j = 0; j < table.stride; j += hn::Lanes(d)) {
    Vector lower = hn::Set(d, kInfinity), upper = lower;
    for (std::size_t s = 0; s < table.site_count; ++s) {
      const auto at = [&](std::size_t c) HWY_ATTR {
        return hn::LoadU(d, table.column + (c * table.site_count + s) * table.stride + j);
      };
      const Vector y0 = hn::MulAdd(at(0), x, at(6));
      const Vector y1 = hn::MulAdd(at(1), x, hn::MulAdd(at(2), y, at(7)));
      const Vector y2 = hn::MulAdd(at(3), x, hn::MulAdd(at(4), y, hn::MulAdd(at(5), z, at(8))));
      const Vector distance = hn::Sqrt(hn::MulAdd(y0, y0, hn::MulAdd(y1, y1, hn::Mul(y2, y2))));
      const Vector reach = hn::Mul(at(11), radius);
      const Vector nearest = hn::Max(hn::Sub(distance, reach), hn::Zero(d)), farthest = hn::Add(distance, reach);
      const Vector site_lower = smoothed(d, hn::Mul(nearest, nearest), at(9), at(10));
      hn::StoreU(site_lower, d, site_lower2 + s * table.stride + j);
      lower = hn::Min(lower, site_lower);
      upper = hn::Min(upper, smoothed(d, hn::Mul(farthest, farthest), at(9), at(10)));
    }
    hn::StoreU(lower, d, lower2 + j);
    hn::StoreU(upper, d, upper2 + j);
    const Vector log_distance = hn::Mul(hn::Set(d, 0.5F), hn::Log(d, lower));
    hn::StoreU(hn::Mul(hn::LoadU(d, table.falloff + j), hn::Sub(hn::LoadU(d, table.log_slack + j), log_distance)), d,
               far_log_raw + j);
  }
}

// D^2 by insertion into a sorted list of K + 1; few cells get past the first comparison.
void ReferenceDistances(const WeightBlock& block) {
  const Lane d;
  HWY_ALIGN float nearest[9 * kJointLanes];
  const std::size_t n = hn::Lanes(d), last = static_cast<std::size_t>(block.max_influences);
  for (std::size_t i = 0; i < kBlock; i += n) {
    for (std::size_t s = 0; s <= last; ++s) hn::Store(hn::Set(d, kInfinity), d, nearest + s * n);
    for (std::size_t a = 0; a < block.cells; ++a) {
      Vector v = hn::LoadU(d, block.squared + a * kBlock + i);
      if (hn::AllFalse(d, hn::Lt(v, hn::Load(d, nearest + last * n)))) continue;
      for (std::size_t s = 0; s <= last; ++s) {
        const Vector held = hn::Load(d, nearest + s * n);
        hn::Store(hn::Min(v, held), d, nearest + s * n);
        v = hn::Max(v, held);
      }
    }
    hn::StoreU(hn::Load(d, nearest + last * n), d, block.reference2 + i);
    hn::StoreU(hn::Set(d, kNoRaw), d, block.top + i);
  }
}

HWY_INLINE Vector logRaw(Lane d, const WeightBlock& block, std::size_t a, Vector squared, Vector reference) {
  const Vector r = hn::Set(d, block.falloff[a]);
  if (!block.cuts) return hn::Mul(hn::Mul(hn::Set(d, -0.5F), r), hn::Log(d, squared));
  const Vector distance = hn::Sqrt(squared);
  const Vector above = hn::Max(hn::Set(d, block.slack[a]), hn::Sub(reference, distance));
  const auto some = hn::Gt(above, hn::Zero(d));
  if (hn::AllFalse(d, some)) return hn::Set(d, kNoRaw);
  const Vector ratio = hn::Max(hn::Div(above, distance), hn::Set(d, FLT_MIN));
  return hn::IfThenElse(some, hn::Mul(r, hn::Log(d, ratio)), hn::Set(d, kNoRaw));
}

// The mask as bits 0 .. lanes - 1.
HWY_INLINE std::uint32_t bitsOf(Lane d, hn::Mask<Lane> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return static_cast<std::uint32_t>(bytes[0]) | (static_cast<std::uint32_t>(bytes[1]) << 8U);
}

void LogRawWeights(const WeightBlock& block, std::size_t first_cell) {
  const Lane d;
  std::fill(block.at_reference + first_cell, block.at_reference + block.cells, 0U);
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    const Vector reference2 = hn::LoadU(d, block.reference2 + i), reference = hn::Sqrt(reference2);
    Vector top = hn::LoadU(d, block.top + i);
    for (std::size_t a = first_cell; a < block.cells; ++a) {
      const Vector squared = hn::LoadU(d, block.squared + a * kBlock + i);
      block.at_reference[a] |= bitsOf(d, hn::Eq(squared, reference2)) << i;
      const Vector log_raw = logRaw(d, block, a, squared, reference);
      hn::StoreU(log_raw, d, block.log_raw + a * kBlock + i);
      top = hn::Max(top, log_raw);
    }
    hn::StoreU(top, d, block.top + i);
  }
}

// exp of numbers that are at most 0; below the smallest float nothing is computed.
HWY_INLINE Vector expOrZero(Lane d, Vector x) {
  return hn::AllFalse(d, hn::Gt(x, hn::Set(d, -104.0F))) ? hn::Zero(d) : hn::Exp(d, x);
}

void SoftmaxWeights(const WeightBlock& block) {
  const Lane d;
  std::fill_n(block.keep, block.cells, 0U);
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    const Vector top = hn::LoadU(d, block.top + i);
    Vector sum = hn::Zero(d), kept = hn::Zero(d);
    for (std::size_t a = 0; a < block.cells; ++a) {
      const Vector w = expOrZero(d, hn::Sub(hn::LoadU(d, block.log_raw + a * kBlock + i), top));
      hn::StoreU(w, d, block.weight + a * kBlock + i);
      sum = hn::Add(sum, w);
    }
    const Vector least = hn::Mul(sum, hn::Set(d, block.keep_above));
    for (std::size_t a = 0; a < block.cells; ++a) {
      const Vector w = hn::LoadU(d, block.weight + a * kBlock + i);
      const auto keep = hn::Gt(w, least);
      block.keep[a] |= bitsOf(d, keep) << i;
      kept = hn::Add(kept, hn::IfThenElseZero(keep, w));
    }
    const Vector scale = hn::Div(hn::Set(d, 1.0F), kept);
    for (std::size_t a = 0; a < block.cells; ++a)
      hn::StoreU(hn::Mul(hn::LoadU(d, block.weight + a * kBlock + i), scale), d, block.weight + a * kBlock + i);
  }
}

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels {

HWY_EXPORT(CellDistances);
HWY_EXPORT(CellBounds);
HWY_EXPORT(ReferenceDistances);
HWY_EXPORT(LogRawWeights);
HWY_EXPORT(SoftmaxWeights);

void cellDistances(const SiteForm* forms, const CellList& cells, const BlockPoints& points, float* squared,
                   std::int32_t* site) {
  if (useScalar()) return scalar::cellDistances(forms, cells, points, squared, site);
  HWY_DYNAMIC_DISPATCH(CellDistances)(forms, cells, points, squared, site);
}

void cellBounds(const SiteTable& table, const Ball& ball, float* site_lower2, float* lower2, float* upper2,
                float* far_log_raw) {
  if (useScalar()) return scalar::cellBounds(table, ball, site_lower2, lower2, upper2, far_log_raw);
  HWY_DYNAMIC_DISPATCH(CellBounds)(table, ball, site_lower2, lower2, upper2, far_log_raw);
}

void referenceDistances(const WeightBlock& block) {
  if (useScalar()) return scalar::referenceDistances(block);
  HWY_DYNAMIC_DISPATCH(ReferenceDistances)(block);
}

void logRawWeights(const WeightBlock& block, std::size_t first_cell) {
  if (useScalar()) return scalar::logRawWeights(block, first_cell);
  HWY_DYNAMIC_DISPATCH(LogRawWeights)(block, first_cell);
}

void softmaxWeights(const WeightBlock& block) {
  if (useScalar()) return scalar::softmaxWeights(block);
  HWY_DYNAMIC_DISPATCH(SoftmaxWeights)(block);
}

} // namespace skincells::kernels
#endif
