// The field's hot loops in Highway; scalar/field_block.cpp is their definition. Logarithms are within 4 units in the
// last place and exponentials within 1 (hwy/contrib/math), so the relative error of log_raw is about 5e-7 r.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/field_block.cpp"
#include <hwy/foreach_target.h> // has to precede highway.h, hence in a separate group

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

#include "kernels/parts.h"
#include "kernels/set_bits.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels::simd {
namespace HWY_NAMESPACE {

#include "kernels/lanes-inl.h"

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// h^2 at (x, y, z); at(c) is number c of the site's form.
template <class At> HWY_INLINE Vector smoothedDistance(Lane d, Vector x, Vector y, Vector z, const At& at) {
  const Vector y0 = hn::MulAdd(at(0), x, at(6));
  const Vector y1 = hn::MulAdd(at(1), x, hn::MulAdd(at(2), y, at(7)));
  const Vector y2 = hn::MulAdd(at(3), x, hn::MulAdd(at(4), y, hn::MulAdd(at(5), z, at(8))));
  const Vector squared = hn::MulAdd(y0, y0, hn::MulAdd(y1, y1, hn::Mul(y2, y2)));
  const Vector inside = hn::Max(hn::Sub(at(9), squared), hn::Zero(d));
  return hn::MulAdd(hn::Mul(inside, inside), at(10), squared);
}

// The nearest site so far, for the points of two vectors.
struct Nearest {
  Vector squared0, squared1;
  hn::Vec<Index> site0, site1;
};

// The normals of the points of two vectors, and the cell's factor.
struct Front {
  const float *HWY_RESTRICT nx, *HWY_RESTRICT ny, *HWY_RESTRICT nz;
  const float* HWY_RESTRICT center; // of the site
  float factor;
};

// `squared` times the square of the factor of a site, for the points at `offset` from the first; x, y, z: the points.
// Without branches: a site that is too far already, or that no point looks at, could be skipped, but neither can be
// predicted, and a wrong prediction takes longer than a root and a division.
HWY_INLINE Vector withFactor(Lane d, Vector squared, const Front& front, std::size_t offset, Vector x, Vector y,
                             Vector z) {
  x = hn::Sub(hn::Set(d, front.center[0]), x);
  y = hn::Sub(hn::Set(d, front.center[1]), y);
  z = hn::Sub(hn::Set(d, front.center[2]), z);
  Vector toward = hn::Mul(hn::Load(d, front.nx + offset), x);
  toward = hn::MulAdd(hn::Load(d, front.ny + offset), y, toward);
  toward = hn::MulAdd(hn::Load(d, front.nz + offset), z, toward);
  toward = hn::Max(toward, hn::Zero(d));
  const Vector square = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::MulAdd(z, z, hn::Set(d, kSmallestSquare))));
  const Vector cosine = hn::Div(toward, hn::Sqrt(square));
  const Vector factor = hn::MulAdd(hn::Set(d, front.factor), cosine, hn::Set(d, 1.0F));
  return hn::Mul(squared, hn::Mul(factor, factor));
}

// Two vectors of points share the broadcasts of each site's numbers. In this order, and with some numbers broadcast
// twice, all live values fit into 16 registers. `front` is used if kFront.
template <bool kFront>
HWY_INLINE void visit(Lane d, const float* HWY_RESTRICT form, const Vector (&p)[6], hn::Vec<Index> site,
                      const Front& front, Nearest& nearest) {
  const auto at = [&](std::size_t c) HWY_ATTR { return hn::Set(d, form[c]); };
  Vector l = at(5);
  Vector y0 = hn::MulAdd(l, p[4], at(8)), y1 = hn::MulAdd(l, p[5], at(8));
  l = at(4);
  y0 = hn::MulAdd(l, p[2], y0);
  y1 = hn::MulAdd(l, p[3], y1);
  l = at(3);
  y0 = hn::MulAdd(l, p[0], y0);
  y1 = hn::MulAdd(l, p[1], y1);
  Vector squared0 = hn::Mul(y0, y0), squared1 = hn::Mul(y1, y1);
  l = at(2);
  y0 = hn::MulAdd(l, p[2], at(7));
  y1 = hn::MulAdd(l, p[3], at(7));
  l = at(1);
  y0 = hn::MulAdd(l, p[0], y0);
  y1 = hn::MulAdd(l, p[1], y1);
  squared0 = hn::MulAdd(y0, y0, squared0);
  squared1 = hn::MulAdd(y1, y1, squared1);
  l = at(0);
  y0 = hn::MulAdd(l, p[0], at(6));
  y1 = hn::MulAdd(l, p[1], at(6));
  squared0 = hn::MulAdd(y0, y0, squared0);
  squared1 = hn::MulAdd(y1, y1, squared1);
  l = at(9);
  y0 = hn::Max(hn::Sub(l, squared0), hn::Zero(d));
  y1 = hn::Max(hn::Sub(l, squared1), hn::Zero(d));
  l = at(10);
  squared0 = hn::MulAdd(hn::Mul(y0, y0), l, squared0);
  squared1 = hn::MulAdd(hn::Mul(y1, y1), l, squared1);
  if constexpr (kFront) {
    squared0 = withFactor(d, squared0, front, 0, p[0], p[2], p[4]);
    squared1 = withFactor(d, squared1, front, hn::Lanes(d), p[1], p[3], p[5]);
  }
  const auto nearer0 = hn::RebindMask(Index(), hn::Lt(squared0, nearest.squared0));
  nearest.squared0 = hn::Min(squared0, nearest.squared0);
  nearest.site0 = hn::IfThenElse(nearer0, site, nearest.site0);
  const auto nearer1 = hn::RebindMask(Index(), hn::Lt(squared1, nearest.squared1));
  nearest.squared1 = hn::Min(squared1, nearest.squared1);
  nearest.site1 = hn::IfThenElse(nearer1, site, nearest.site1);
}

template <bool kFront> HWY_INLINE void measureCells(const DistanceBlock& block) {
  const SiteForm* HWY_RESTRICT forms = block.forms;
  const std::size_t site_count = block.site_count;
  const std::span<const std::uint32_t> joints = block.joints;
  const BlockPoints& points = *block.points;
  float* HWY_RESTRICT squared = block.squared;
  std::int32_t* HWY_RESTRICT site = block.site;
  const Lane d;
  const Index di;
  const std::size_t n = hn::Lanes(d);
  for (std::size_t i = 0; i < kBlock; i += 2 * n) {
    const Vector p[6] = {hn::Load(d, points.x + i),     hn::Load(d, points.x + i + n), hn::Load(d, points.y + i),
                         hn::Load(d, points.y + i + n), hn::Load(d, points.z + i),     hn::Load(d, points.z + i + n)};
    Front front{};
    if constexpr (kFront) {
      const BlockNormals& normals = *block.front.normals;
      front = {normals.x + i, normals.y + i, normals.z + i, nullptr, 0};
    }
    for (std::size_t a = 0; a < joints.size(); ++a) {
      const std::size_t begin = joints[a] * site_count;
      if constexpr (kFront) front.factor = block.front.factor[joints[a]];
      const auto first = hn::Set(di, static_cast<std::int32_t>(begin));
      Nearest nearest{hn::Set(d, kInfinity), hn::Set(d, kInfinity), first, first};
      auto current = first;
      for (std::size_t e = begin; e < begin + site_count; ++e, current = hn::Add(current, hn::Set(di, 1))) {
        if constexpr (kFront) front.center = block.center + 4 * e;
        visit<kFront>(d, reinterpret_cast<const float*>(forms + e), p, current, front, nearest);
      }
      hn::StoreU(nearest.squared0, d, squared + a * kBlock + i);
      hn::StoreU(nearest.squared1, d, squared + a * kBlock + i + n);
      hn::StoreU(nearest.site0, di, site + a * kBlock + i);
      hn::StoreU(nearest.site1, di, site + a * kBlock + i + n);
    }
  }
}

void cellDistances(const DistanceBlock& block) {
  if (block.front.normals != nullptr)
    measureCells<true>(block);
  else
    measureCells<false>(block);
}

// Inserts each lane of `value` into the ascending list of that lane.
HWY_INLINE void insert(Lane d, Vector value, float* HWY_RESTRICT lists, std::size_t step, std::size_t size) {
  for (std::size_t s = 0; s < size; ++s) {
    const Vector held = hn::LoadU(d, lists + s * step);
    hn::StoreU(hn::Min(value, held), d, lists + s * step);
    value = hn::Max(value, held);
  }
}

// The (k+1)-th smallest distinct value in `size` vectors, which is at least the (k+1)-th smallest value.
HWY_INLINE float smallest(Lane d, float* HWY_RESTRICT values, std::size_t size, std::size_t k) {
  const std::size_t n = hn::Lanes(d);
  Vector least = hn::Set(d, kInfinity);
  for (std::size_t round = 0; round <= k; ++round) {
    least = hn::LoadU(d, values);
    for (std::size_t s = n; s < size * n; s += n) least = hn::Min(least, hn::LoadU(d, values + s));
    least = hn::MinOfLanes(d, least);
    for (std::size_t s = 0; s < size * n; s += n) {
      const Vector held = hn::LoadU(d, values + s);
      hn::StoreU(hn::IfThenElse(hn::Eq(held, least), hn::Set(d, kInfinity), held), d, values + s);
    }
  }
  const float found = hn::GetLane(least);
  return found < FLT_MAX ? found : kInfinity; // some targets return a large number for the minimum of infinities
}

// Each lane keeps only its few smallest upper bounds; their (k+1)-th smallest is at least that of all bounds.
float cellBounds(const CellBounds& bounds) {
  const SiteTable table = bounds.table;
  const Ball ball = bounds.ball;
  float *HWY_RESTRICT lower = bounds.lower, *HWY_RESTRICT upper = bounds.upper;
  const Lane d;
  const std::size_t n = hn::Lanes(d), last = static_cast<std::size_t>(bounds.k), depth = (last + n) / n + 1;
  HWY_ALIGN float least[10 * kJointGroup]; // depth * n <= k + 2 n + 1
  std::fill_n(least, depth * n, kInfinity);
  const Vector x = hn::Set(d, ball.x), y = hn::Set(d, ball.y), z = hn::Set(d, ball.z);
  const Vector radius = hn::Set(d, ball.radius);
  for (std::size_t group : bounds.groups)
    for (std::size_t i = 0; i < kJointGroup; i += n) {
      const float* HWY_RESTRICT column = table.column + group * table.site_count * kSiteColumns * kJointGroup + i;
      Vector best = hn::Set(d, kInfinity);
      for (std::size_t s = 0; s < table.site_count; ++s, column += kSiteColumns * kJointGroup)
        best = hn::Min(best, smoothedDistance(d, x, y, z, [&](std::size_t c) HWY_ATTR {
                         return hn::LoadU(d, column + c * kJointGroup);
                       }));
      const std::size_t j = group * kJointGroup + i;
      const Vector distance = hn::Sqrt(best), change = hn::Mul(hn::LoadU(d, table.spread + j), radius);
      const Vector largest = hn::Mul(hn::Add(distance, change), hn::LoadU(d, table.reach + j));
      hn::StoreU(hn::Max(hn::Sub(distance, change), hn::Zero(d)), d, lower + j);
      hn::StoreU(largest, d, upper + j);
      insert(d, largest, least, n, depth);
    }
  return smallest(d, least, depth, last);
}

// Appends first + i for every listed lane i, without a branch.
HWY_INLINE std::size_t append(Lane d, hn::Mask<Lane> listed, std::size_t first, std::uint32_t* joints,
                              std::size_t count) {
  const hn::RebindToUnsigned<Lane> du;
  const hn::Rebind<std::uint8_t, decltype(du)> d8;
  const std::uint32_t bits = bitsOf(d, listed);
  const auto lanes = hn::PromoteTo(du, hn::LoadU(d8, kSetBits[bits].data()));
  hn::StoreU(hn::Add(lanes, hn::Set(du, static_cast<std::uint32_t>(first))), du, joints + count);
  return count + hwy::PopCount(bits);
}

std::size_t listCells(const CellFilter& filter) {
  const float *HWY_RESTRICT value = filter.value, *HWY_RESTRICT upper = filter.upper;
  std::uint32_t* HWY_RESTRICT joints = filter.joints;
  const Lane d;
  const Vector max_value = hn::Set(d, filter.max_value), upper_above = hn::Set(d, filter.upper_above);
  std::size_t count = 0;
  for (std::size_t group : filter.groups)
    for (std::size_t j = group * kJointGroup; j < (group + 1) * kJointGroup; j += hn::Lanes(d)) {
      const auto listed =
          hn::And(hn::Le(hn::LoadU(d, value + j), max_value), hn::Gt(hn::LoadU(d, upper + j), upper_above));
      count = append(d, listed, j, joints, count);
    }
  return count;
}

HWY_INLINE Vector farWeightAt(Lane d, const SiteTable& table, Vector log_distance, std::size_t j) {
  return hn::Mul(hn::LoadU(d, table.falloff + j), hn::Sub(hn::LoadU(d, table.log_slack + j), log_distance));
}
HWY_INLINE Vector farWeight(Lane d, const SiteTable& table, const float* lower, std::size_t j) {
  return farWeightAt(d, table, hn::Log(d, hn::Max(hn::LoadU(d, lower + j), hn::Set(d, FLT_MIN))), j);
}

std::size_t listFarCells(const FarCellFilter& filter) {
  const SiteTable table = filter.table;
  const float *HWY_RESTRICT lower = filter.lower, *HWY_RESTRICT upper = filter.upper;
  std::uint32_t* HWY_RESTRICT joints = filter.joints;
  const Lane d;
  const Vector lower_above = hn::Set(d, filter.lower_above), upper_above = hn::Set(d, filter.upper_above);
  const Vector needed = hn::Set(d, filter.min_log_weight), nearly = hn::Set(d, filter.min_log_weight - 1e-4F);
  // A cell beyond lower_above has at most its weight at that distance, so most groups need no logarithm.
  const Vector log_above = hn::Set(d, std::log(std::max(filter.lower_above, FLT_MIN)));
  std::size_t count = 0;
  for (std::size_t group : filter.groups)
    for (std::size_t j = group * kJointGroup; j < (group + 1) * kJointGroup; j += hn::Lanes(d)) {
      const auto beyond =
          hn::And(hn::Gt(hn::LoadU(d, lower + j), lower_above), hn::Gt(hn::LoadU(d, upper + j), upper_above));
      const auto candidates = hn::And(beyond, hn::Ge(farWeightAt(d, table, log_above, j), nearly));
      if (hn::AllFalse(d, candidates)) continue;
      const auto listed = hn::And(candidates, hn::Ge(farWeight(d, table, lower, j), needed));
      count = append(d, listed, j, joints, count);
    }
  return count;
}

float largestFarWeight(const SiteTable& table, std::span<const std::uint16_t> groups, const float* lower) {
  const Lane d;
  Vector largest = hn::Set(d, kLogZero);
  for (std::size_t group : groups)
    for (std::size_t j = group * kJointGroup; j < (group + 1) * kJointGroup; j += hn::Lanes(d))
      largest = hn::Max(largest, farWeight(d, table, lower, j));
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

// A template on the number of lists, so that they stay in registers.
template <std::size_t kSize> HWY_INLINE float nearestOf(const MeasuredCells& measured, std::size_t first_cell) {
  const Lane d;
  const std::size_t n = hn::Lanes(d);
  Vector largest = hn::Zero(d);
  for (std::size_t i = 0; i < kBlock; i += n) {
    Vector nearest[kSize];
    for (std::size_t s = 0; s < kSize; ++s)
      nearest[s] = first_cell == 0 ? hn::Set(d, kInfinity) : hn::LoadU(d, measured.nearest + s * kBlock + i);
    for (std::size_t a = first_cell; a < measured.cells; ++a) {
      Vector value = hn::LoadU(d, measured.squared + a * kBlock + i);
      for (std::size_t s = 0; s < kSize; ++s) {
        const Vector held = nearest[s];
        nearest[s] = hn::Min(value, held);
        value = hn::Max(value, held);
      }
    }
    for (std::size_t s = 0; s < kSize; ++s) hn::StoreU(nearest[s], d, measured.nearest + s * kBlock + i);
    largest = hn::Max(largest, nearest[kSize - 1]);
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

float nearestDistances(const MeasuredCells& measured, std::size_t first_cell) {
  switch (measured.max_influences) {
  case 1:
    return nearestOf<2>(measured, first_cell);
  case 2:
    return nearestOf<3>(measured, first_cell);
  case 3:
    return nearestOf<4>(measured, first_cell);
  case 4:
    return nearestOf<5>(measured, first_cell);
  case 5:
    return nearestOf<6>(measured, first_cell);
  case 6:
    return nearestOf<7>(measured, first_cell);
  case 7:
    return nearestOf<8>(measured, first_cell);
  default:
    return nearestOf<9>(measured, first_cell);
  }
}

// Branchless: every cell is written to both lists, and only one of them grows.
std::size_t splitByReference(const MeasuredCells& measured, std::uint32_t* HWY_RESTRICT near,
                             std::uint32_t* HWY_RESTRICT far) {
  const Lane d;
  std::size_t near_count = 0;
  for (std::size_t a = 0; a < measured.cells; ++a) {
    auto within = hn::FirstN(d, 0);
    for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d))
      within = hn::Or(within,
                      hn::Le(hn::LoadU(d, measured.squared + a * kBlock + i), hn::LoadU(d, measured.reference2() + i)));
    near[near_count] = far[a - near_count] = static_cast<std::uint32_t>(a);
    near_count += hn::AllFalse(d, within) ? 0 : 1;
  }
  return near_count;
}

HWY_INLINE Vector logRaw(Lane d, const WeightBlock& block, std::size_t joint, Vector distance, Vector reference) {
  const Vector r = hn::Set(d, block.falloff[joint]);
  if (!block.cuts) return hn::Neg(hn::Mul(r, hn::Log(d, distance)));
  const float slack = block.slack[joint];
  const Vector above = hn::Max(hn::Set(d, slack), hn::Sub(reference, distance));
  if (slack > 0) return hn::Mul(r, hn::Log(d, hn::Div(above, distance)));
  const auto some = hn::Gt(above, hn::Zero(d));
  if (hn::AllFalse(d, some)) return hn::Set(d, kLogZero);
  const Vector ratio = hn::Max(hn::Div(above, distance), hn::Set(d, FLT_MIN));
  return hn::IfThenElse(some, hn::Mul(r, hn::Log(d, ratio)), hn::Set(d, kLogZero));
}

float logRawWeights(const WeightBlock& block, std::size_t first_cell) {
  const Lane d;
  if (first_cell == 0) std::fill_n(block.top, kBlock, kLogZero);
  Vector least = hn::Set(d, kInfinity);
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    const Vector reference2 = hn::LoadU(d, block.reference2 + i), reference = hn::Sqrt(reference2);
    Vector top = hn::LoadU(d, block.top + i);
    for (std::size_t a = first_cell; a < block.cells; ++a) {
      const std::size_t slot = block.slot[a];
      const Vector squared = hn::LoadU(d, block.squared + slot * kBlock + i), distance = hn::Sqrt(squared);
      const std::uint32_t equal = bitsOf(d, hn::Eq(squared, reference2)) << i;
      block.at_reference[a] = i == 0 ? equal : block.at_reference[a] | equal;
      const Vector log_raw = logRaw(d, block, block.joint[slot], distance, reference);
      hn::StoreU(distance, d, block.distance + a * kBlock + i);
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

void softmaxWeights(const WeightBlock& block) {
  const Lane d;
  const Index di;
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
    auto count = hn::Zero(di);
    for (std::size_t a = 0; a < block.cells; ++a) {
      const Vector w = hn::LoadU(d, block.weight + a * kBlock + i);
      const auto keep = hn::Gt(w, least);
      const std::uint32_t found = bitsOf(d, keep) << i;
      block.keep[a] = i == 0 ? found : block.keep[a] | found;
      const Vector some = hn::IfThenElseZero(keep, w);
      hn::StoreU(some, d, block.weight + a * kBlock + i);
      kept = hn::Add(kept, some);
      count = hn::Sub(count, hn::VecFromMask(di, hn::RebindMask(di, keep))); // a set mask is -1
    }
    hn::StoreU(count, di, block.kept + i);
    const Vector scale = hn::Div(hn::Set(d, 1.0F), kept);
    for (std::size_t a = 0; a < block.cells; ++a)
      hn::StoreU(hn::Mul(hn::LoadU(d, block.weight + a * kBlock + i), scale), d, block.weight + a * kBlock + i);
  }
}

static void setEntries(Kernels& table) {
  table.cellDistances = cellDistances;
  table.cellBounds = cellBounds;
  table.listCells = listCells;
  table.listFarCells = listFarCells;
  table.largestFarWeight = largestFarWeight;
  table.nearestDistances = nearestDistances;
  table.splitByReference = splitByReference;
  table.logRawWeights = logRawWeights;
  table.softmaxWeights = softmaxWeights;
}

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels::simd {

HWY_EXPORT(setEntries);

void setFieldBlock(Kernels& table) {
  HWY_DYNAMIC_DISPATCH(setEntries)(table);
}

} // namespace skincells::kernels::simd
#endif
