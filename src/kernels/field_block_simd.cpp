// The field's hot loops in Highway; field_block_scalar.cpp says what they compute. Logarithms are within 4 units in
// the last place and exponentials within 1 (hwy/contrib/math), so log_raw is off by about 5e-7 r of itself.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/field_block_simd.cpp"
#include <hwy/foreach_target.h> // before highway.h, and so in a group of its own

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

#include "kernels/choose.h"
#include "kernels/field_block.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Lane = hn::CappedTag<float, 8>; // divides kBlock and kJointGroup
using Vector = hn::Vec<Lane>;
using Index = hn::RebindToSigned<Lane>;

static_assert(kBlock == 16 && kJointGroup == 8);
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The mask as bits 0 .. lanes - 1.
HWY_INLINE std::uint32_t bitsOf(Lane d, hn::Mask<Lane> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0];
}

// h^2 at (x, y, z); at(c) is number c of the site's form.
template <class At> HWY_INLINE Vector smoothedDistance(Lane d, Vector x, Vector y, Vector z, const At& at) {
  const Vector y0 = hn::MulAdd(at(0), x, at(6));
  const Vector y1 = hn::MulAdd(at(1), x, hn::MulAdd(at(2), y, at(7)));
  const Vector y2 = hn::MulAdd(at(3), x, hn::MulAdd(at(4), y, hn::MulAdd(at(5), z, at(8))));
  const Vector squared = hn::MulAdd(y0, y0, hn::MulAdd(y1, y1, hn::Mul(y2, y2)));
  const Vector inside = hn::Max(hn::Sub(at(9), squared), hn::Zero(d));
  return hn::MulAdd(hn::Mul(inside, inside), at(10), squared);
}

// The nearest site so far, for the points of one vector.
struct Nearest {
  Vector squared;
  hn::Vec<Index> site;
};

HWY_INLINE void visit(Vector h2, hn::Vec<Index> site, Nearest& nearest) {
  const auto nearer = hn::Lt(h2, nearest.squared);
  nearest.squared = hn::Min(h2, nearest.squared);
  nearest.site = hn::IfThenElse(hn::RebindMask(Index(), nearer), site, nearest.site);
}

// Two vectors of points at a time share the broadcasts of each site's numbers.
void CellDistances(const SiteForm* HWY_RESTRICT forms, std::size_t site_count, std::span<const std::uint16_t> joints,
                   const BlockPoints& points, float* HWY_RESTRICT squared, std::int32_t* HWY_RESTRICT site) {
  const Lane d;
  const Index di;
  const std::size_t n = hn::Lanes(d);
  for (std::size_t i = 0; i < kBlock; i += 2 * n) {
    const Vector x0 = hn::Load(d, points.x + i), y0 = hn::Load(d, points.y + i), z0 = hn::Load(d, points.z + i);
    const Vector x1 = hn::Load(d, points.x + i + n), y1 = hn::Load(d, points.y + i + n);
    const Vector z1 = hn::Load(d, points.z + i + n);
    for (std::size_t a = 0; a < joints.size(); ++a) {
      const std::size_t begin = joints[a] * site_count;
      Nearest first{hn::Set(d, kInfinity), hn::Zero(di)}, second = first;
      auto current = hn::Set(di, static_cast<std::int32_t>(begin));
      for (std::size_t e = begin; e < begin + site_count; ++e, current = hn::Add(current, hn::Set(di, 1))) {
        const auto* numbers = reinterpret_cast<const float*>(forms + e);
        const auto at = [&](std::size_t c) HWY_ATTR { return hn::Set(d, numbers[c]); };
        visit(smoothedDistance(d, x0, y0, z0, at), current, first);
        visit(smoothedDistance(d, x1, y1, z1, at), current, second);
      }
      hn::StoreU(first.squared, d, squared + a * kBlock + i);
      hn::StoreU(second.squared, d, squared + a * kBlock + i + n);
      hn::StoreU(first.site, di, site + a * kBlock + i);
      hn::StoreU(second.site, di, site + a * kBlock + i + n);
    }
  }
}

// Puts the lanes of `value` into ascending lists, one per lane.
HWY_INLINE void insert(Lane d, Vector value, float* HWY_RESTRICT lists, std::size_t step, std::size_t size) {
  for (std::size_t s = 0; s < size; ++s) {
    const Vector held = hn::LoadU(d, lists + s * step);
    hn::StoreU(hn::Min(value, held), d, lists + s * step);
    value = hn::Max(value, held);
  }
}

// The (k+1)-th smallest of the values.
HWY_INLINE float smallest(const float* values, std::size_t count, std::size_t k) {
  float least[9];
  std::fill_n(least, k + 1, kInfinity);
  for (std::size_t i = 0; i < count; ++i) {
    float v = values[i];
    if (!(v < least[k])) continue;
    for (std::size_t s = 0; s <= k; ++s) {
      const float smaller = std::min(v, least[s]);
      v = std::max(v, least[s]);
      least[s] = smaller;
    }
  }
  return least[k];
}

// Each lane keeps only its few smallest upper bounds: the (k+1)-th smallest of those is no less than that of all.
float CellBounds(const SiteTable& table, const Ball& ball, std::span<const std::uint16_t> groups, int k,
                 float* HWY_RESTRICT lower, float* HWY_RESTRICT upper) {
  const Lane d;
  const std::size_t n = hn::Lanes(d), last = static_cast<std::size_t>(k), depth = (last + n) / n + 1;
  HWY_ALIGN float least[10 * kJointGroup]; // depth * n <= k + 2 n + 1
  std::fill_n(least, depth * n, kInfinity);
  const Vector x = hn::Set(d, ball.x), y = hn::Set(d, ball.y), z = hn::Set(d, ball.z);
  const Vector radius = hn::Set(d, ball.radius);
  for (std::size_t group : groups)
    for (std::size_t i = 0; i < kJointGroup; i += n) {
      const float* HWY_RESTRICT column = table.column + group * table.site_count * kSiteColumns * kJointGroup + i;
      Vector best = hn::Set(d, kInfinity);
      for (std::size_t s = 0; s < table.site_count; ++s, column += kSiteColumns * kJointGroup)
        best = hn::Min(best, smoothedDistance(d, x, y, z, [&](std::size_t c) HWY_ATTR {
                         return hn::LoadU(d, column + c * kJointGroup);
                       }));
      const std::size_t j = group * kJointGroup + i;
      const Vector distance = hn::Sqrt(best), reach = hn::Mul(hn::LoadU(d, table.spread + j), radius);
      const Vector most = hn::Add(distance, reach);
      hn::StoreU(hn::Max(hn::Sub(distance, reach), hn::Zero(d)), d, lower + j);
      hn::StoreU(most, d, upper + j);
      insert(d, most, least, n, depth);
    }
  return smallest(least, depth * n, last);
}

// Appends the joints of the set bits, counted from `first`.
HWY_INLINE std::size_t append(std::uint32_t bits, std::size_t first, std::uint16_t* joints, std::size_t count) {
  for (; bits != 0; bits &= bits - 1)
    joints[count++] = static_cast<std::uint16_t>(first + hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
  return count;
}

std::size_t ListCells(std::span<const std::uint16_t> groups, const float* HWY_RESTRICT value, float most,
                      const float* HWY_RESTRICT other, float above, std::uint16_t* HWY_RESTRICT joints) {
  const Lane d;
  std::size_t count = 0;
  for (std::size_t group : groups)
    for (std::size_t j = group * kJointGroup; j < (group + 1) * kJointGroup; j += hn::Lanes(d)) {
      const auto listed = hn::And(hn::Le(hn::LoadU(d, value + j), hn::Set(d, most)),
                                  hn::Gt(hn::LoadU(d, other + j), hn::Set(d, above)));
      count = append(bitsOf(d, listed), j, joints, count);
    }
  return count;
}

HWY_INLINE Vector farWeight(Lane d, const SiteTable& table, const float* lower, std::size_t j) {
  const Vector log_distance = hn::Log(d, hn::Max(hn::LoadU(d, lower + j), hn::Set(d, FLT_MIN)));
  return hn::Mul(hn::LoadU(d, table.falloff + j), hn::Sub(hn::LoadU(d, table.log_slack + j), log_distance));
}

std::size_t ListFarCells(const SiteTable& table, std::span<const std::uint16_t> groups, const float* HWY_RESTRICT lower,
                         float above, const float* HWY_RESTRICT upper, float upper_above, float needed,
                         std::uint16_t* HWY_RESTRICT joints) {
  const Lane d;
  std::size_t count = 0;
  for (std::size_t group : groups)
    for (std::size_t j = group * kJointGroup; j < (group + 1) * kJointGroup; j += hn::Lanes(d)) {
      const auto beyond = hn::And(hn::Gt(hn::LoadU(d, lower + j), hn::Set(d, above)),
                                  hn::Gt(hn::LoadU(d, upper + j), hn::Set(d, upper_above)));
      if (hn::AllFalse(d, beyond)) continue;
      const auto listed = hn::And(beyond, hn::Ge(farWeight(d, table, lower, j), hn::Set(d, needed)));
      count = append(bitsOf(d, listed), j, joints, count);
    }
  return count;
}

float LargestFarWeight(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower) {
  const Lane d;
  Vector largest = hn::Set(d, kNoRaw);
  for (std::size_t group : groups)
    for (std::size_t j = group * kJointGroup; j < (group + 1) * kJointGroup; j += hn::Lanes(d))
      largest = hn::Max(largest, farWeight(d, table, lower, j));
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

// Few cells get past the first comparison.
float NearestDistances(const WeightBlock& block, std::size_t first_cell) {
  const Lane d;
  const std::size_t n = hn::Lanes(d), size = static_cast<std::size_t>(block.max_influences) + 1;
  if (first_cell == 0) std::fill_n(block.nearest, size * kBlock, kInfinity);
  const float* farthest = block.reference2();
  Vector largest = hn::Zero(d);
  for (std::size_t i = 0; i < kBlock; i += n) {
    for (std::size_t a = first_cell; a < block.cells; ++a) {
      const Vector v = hn::LoadU(d, block.squared + a * kBlock + i);
      if (!hn::AllFalse(d, hn::Lt(v, hn::LoadU(d, farthest + i)))) insert(d, v, block.nearest + i, kBlock, size);
    }
    largest = hn::Max(largest, hn::LoadU(d, farthest + i));
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
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

void CompareWithReference(const WeightBlock& block, std::size_t first_cell) {
  const Lane d;
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    const Vector reference2 = hn::LoadU(d, block.reference2() + i);
    for (std::size_t a = first_cell; a < block.cells; ++a) {
      const Vector squared = hn::LoadU(d, block.squared + a * kBlock + i);
      const std::uint32_t within = bitsOf(d, hn::Le(squared, reference2)) << i;
      const std::uint32_t at_reference = within == 0 ? 0U : bitsOf(d, hn::Eq(squared, reference2)) << i;
      block.within[a] = i == 0 ? within : block.within[a] | within;
      block.at_reference[a] = i == 0 ? at_reference : block.at_reference[a] | at_reference;
    }
  }
}

float LogRawWeights(const WeightBlock& block, std::size_t first_cell) {
  const Lane d;
  if (first_cell == 0) std::fill_n(block.top, kBlock, kNoRaw);
  Vector least = hn::Set(d, kInfinity);
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    const Vector reference = hn::Sqrt(hn::LoadU(d, block.reference2() + i));
    Vector top = hn::LoadU(d, block.top + i);
    for (std::size_t a = first_cell; a < block.cells; ++a) {
      const Vector log_raw = logRaw(d, block, a, hn::LoadU(d, block.squared + a * kBlock + i), reference);
      hn::StoreU(log_raw, d, block.log_raw + a * kBlock + i);
      top = hn::Max(top, log_raw);
    }
    hn::StoreU(top, d, block.top + i);
    least = hn::Min(least, top);
  }
  return hn::GetLane(hn::MinOfLanes(d, least));
}

// exp where x > least_log, elsewhere 0.
HWY_INLINE Vector expOrZero(Lane d, Vector x, Vector least_log) {
  const auto some = hn::Gt(x, least_log);
  return hn::AllFalse(d, some) ? hn::Zero(d) : hn::IfThenElseZero(some, hn::Exp(d, x));
}

void SoftmaxWeights(const WeightBlock& block) {
  const Lane d;
  const Vector least_log = hn::Set(d, block.keep_above > 0 ? std::log(block.keep_above) : -104.0F);
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    const Vector top = hn::LoadU(d, block.top + i);
    Vector sum = hn::Zero(d), kept = hn::Zero(d);
    for (std::size_t a = 0; a < block.cells; ++a) {
      const Vector w = expOrZero(d, hn::Sub(hn::LoadU(d, block.log_raw + a * kBlock + i), top), least_log);
      hn::StoreU(w, d, block.weight + a * kBlock + i);
      sum = hn::Add(sum, w);
    }
    const Vector least = hn::Mul(sum, hn::Set(d, block.keep_above));
    for (std::size_t a = 0; a < block.cells; ++a) {
      const Vector w = hn::LoadU(d, block.weight + a * kBlock + i);
      const auto keep = hn::Gt(w, least);
      const std::uint32_t found = bitsOf(d, keep) << i;
      block.keep[a] = i == 0 ? found : block.keep[a] | found;
      kept = hn::Add(kept, hn::IfThenElseZero(keep, w));
    }
    const Vector scale = hn::Div(hn::Set(d, 1.0F), kept);
    for (std::size_t a = 0; a < block.cells; ++a)
      hn::StoreU(hn::Mul(hn::LoadU(d, block.weight + a * kBlock + i), scale), d, block.weight + a * kBlock + i);
  }
}

void WeightSlopes(const WeightBlock& block, const SlopeBlock& slopes) {
  const Lane d;
  const Vector one = hn::Set(d, 1.0F);
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    const Vector reference = hn::Sqrt(hn::LoadU(d, block.reference2() + i));
    for (std::size_t a = 0; a < block.cells; ++a) {
      if (block.keep[a] == 0) continue;
      const std::size_t at = a * kBlock + i;
      const Vector r = hn::Set(d, block.falloff[a]), distance = hn::Sqrt(hn::LoadU(d, block.squared + at));
      const Vector inverse = hn::Div(one, distance), above = hn::Sub(reference, distance);
      Vector by_reference = hn::Zero(d);
      if (block.cuts) by_reference = hn::IfThenElseZero(hn::Gt(above, hn::Set(d, block.slack[a])), hn::Div(r, above));
      hn::StoreU(inverse, d, slopes.inverse_distance + at);
      hn::StoreU(by_reference, d, slopes.by_reference + at);
      hn::StoreU(hn::Neg(hn::MulAdd(r, inverse, by_reference)), d, slopes.by_distance + at);
    }
  }
}

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels {

HWY_EXPORT(CellDistances);
HWY_EXPORT(CellBounds);
HWY_EXPORT(ListCells);
HWY_EXPORT(ListFarCells);
HWY_EXPORT(LargestFarWeight);
HWY_EXPORT(NearestDistances);
HWY_EXPORT(CompareWithReference);
HWY_EXPORT(LogRawWeights);
HWY_EXPORT(SoftmaxWeights);
HWY_EXPORT(WeightSlopes);

void cellDistances(const SiteForm* forms, std::size_t site_count, std::span<const std::uint16_t> joints,
                   const BlockPoints& points, float* squared, std::int32_t* site) {
  if (useScalar()) return scalar::cellDistances(forms, site_count, joints, points, squared, site);
  HWY_DYNAMIC_DISPATCH(CellDistances)(forms, site_count, joints, points, squared, site);
}

float cellBounds(const SiteTable& table, const Ball& ball, std::span<const std::uint16_t> groups, int k, float* lower,
                 float* upper) {
  if (useScalar()) return scalar::cellBounds(table, ball, groups, k, lower, upper);
  return HWY_DYNAMIC_DISPATCH(CellBounds)(table, ball, groups, k, lower, upper);
}

std::size_t listCells(std::span<const std::uint16_t> groups, const float* value, float most, const float* other,
                      float above, std::uint16_t* joints) {
  if (useScalar()) return scalar::listCells(groups, value, most, other, above, joints);
  return HWY_DYNAMIC_DISPATCH(ListCells)(groups, value, most, other, above, joints);
}

std::size_t listFarCells(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower, float above,
                         const float* upper, float upper_above, float needed, std::uint16_t* joints) {
  if (useScalar()) return scalar::listFarCells(table, groups, lower, above, upper, upper_above, needed, joints);
  return HWY_DYNAMIC_DISPATCH(ListFarCells)(table, groups, lower, above, upper, upper_above, needed, joints);
}

float largestFarWeight(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower) {
  if (useScalar()) return scalar::largestFarWeight(table, groups, lower);
  return HWY_DYNAMIC_DISPATCH(LargestFarWeight)(table, groups, lower);
}

float nearestDistances(const WeightBlock& block, std::size_t first_cell) {
  if (useScalar()) return scalar::nearestDistances(block, first_cell);
  return HWY_DYNAMIC_DISPATCH(NearestDistances)(block, first_cell);
}

void compareWithReference(const WeightBlock& block, std::size_t first_cell) {
  if (useScalar()) return scalar::compareWithReference(block, first_cell);
  HWY_DYNAMIC_DISPATCH(CompareWithReference)(block, first_cell);
}

float logRawWeights(const WeightBlock& block, std::size_t first_cell) {
  if (useScalar()) return scalar::logRawWeights(block, first_cell);
  return HWY_DYNAMIC_DISPATCH(LogRawWeights)(block, first_cell);
}

void softmaxWeights(const WeightBlock& block) {
  if (useScalar()) return scalar::softmaxWeights(block);
  HWY_DYNAMIC_DISPATCH(SoftmaxWeights)(block);
}

void weightSlopes(const WeightBlock& block, const SlopeBlock& slopes) {
  if (useScalar()) return scalar::weightSlopes(block, slopes);
  HWY_DYNAMIC_DISPATCH(WeightSlopes)(block, slopes);
}

} // namespace skincells::kernels
#endif
