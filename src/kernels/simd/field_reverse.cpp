// The field's reverse pass in Highway; scalar/field_reverse.cpp is its definition. Points of a block mostly share the
// site that realizes a cell's distance, so the outer products of a site are summed over the points in vectors, and only
// the sums are written.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/field_reverse.cpp"
#include <hwy/foreach_target.h> // has to precede highway.h, hence in a separate group

#include <hwy/highway.h>

#include <limits>

#include "kernels/parts.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels::simd {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // it lacks the four lanes that the loops need

static void setEntries(Kernels&) {}

#else

#include "kernels/lanes-inl.h"

constexpr float kInfinity = std::numeric_limits<float>::infinity();

using Quad = hn::FixedTag<float, 4>;

// Partial sums of both vectors, alternating: (a, b, a, b).
HWY_INLINE Vector pairSums(Lane d, Vector a, Vector b) {
  return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
}

HWY_INLINE hn::Vec<Quad> addHalves(Lane, Vector sums) {
#if HWY_MAX_BYTES >= 32
  return hn::Add(hn::LowerHalf(Quad(), sums), hn::UpperHalf(Quad(), sums));
#else
  return sums;
#endif
}

// Four numbers, the sum of each vector.
HWY_INLINE hn::Vec<Quad> sumsOf(Lane d, Vector a, Vector b, Vector c, Vector e) {
  const hn::RepartitionToWide<Lane> pairs;
  const auto ab = hn::BitCast(pairs, pairSums(d, a, b)), ce = hn::BitCast(pairs, pairSums(d, c, e));
  return addHalves(d, hn::Add(hn::BitCast(d, hn::InterleaveLower(pairs, ab, ce)),
                              hn::BitCast(d, hn::InterleaveUpper(pairs, ab, ce))));
}

// The two sums, twice.
HWY_INLINE hn::Vec<Quad> sumsOf(Lane d, Vector a, Vector b) {
  const hn::Vec<Quad> sums = addHalves(d, pairSums(d, a, b));
  return hn::Add(sums, hn::Shuffle1032(sums));
}

HWY_INLINE void addTo(float* sums, hn::Vec<Quad> v) {
  hn::StoreU(hn::Add(hn::LoadU(Quad(), sums), v), Quad(), sums);
}

// The sums of a site (see kSiteSums), still separate by lane.
struct SiteSums {
  Vector ux, uy, uz, t, xx, xy, xz, yy, yz, zz;
  Vector px, py, pz, k; // see kFrontSums
};

// sum += a b; sum = a b for the first points.
template <bool kFirst> HWY_INLINE void addProduct(Vector& sum, Vector a, Vector b) {
  sum = kFirst ? hn::Mul(a, b) : hn::MulAdd(a, b, sum);
}
template <bool kFirst> HWY_INLINE void add(Vector& sum, Vector a) {
  sum = kFirst ? a : hn::Add(sum, a);
}

// The factor 1 + k cos of the distance to a site at (x, y, z) = x - p from it. Adds to the sums, given
// g = dL/d(distance).
HWY_INLINE Vector addFactor(const ReverseBlock& block, std::size_t cell, std::size_t i, Vector x, Vector y, Vector z,
                            Vector g, SiteSums& sums) {
  const Lane d;
  const Vector nx = hn::Load(d, block.front.normals->x + i), ny = hn::Load(d, block.front.normals->y + i);
  const Vector nz = hn::Load(d, block.front.normals->z + i), one = hn::Set(d, 1.0F);
  const Vector away = hn::MulAdd(nx, x, hn::MulAdd(ny, y, hn::Mul(nz, z)));
  const auto in_front = hn::Lt(away, hn::Zero(d));
  if (hn::AllFalse(d, in_front)) return one;
  const Vector square = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::MulAdd(z, z, hn::Set(d, kSmallestSquare))));
  const Vector inverse = hn::Div(one, hn::Sqrt(square));
  const Vector cosine = hn::IfThenElseZero(in_front, hn::Neg(hn::Mul(away, inverse)));
  const Vector k = hn::Set(d, block.front.factor[block.joint[cell]]), factor = hn::MulAdd(k, cosine, one);
  const Vector distance = hn::LoadU(d, block.distance + cell * kBlock + i);
  const Vector by_cosine = hn::IfThenElseZero(in_front, hn::Mul(hn::Mul(g, k), hn::Div(distance, factor)));
  const Vector along = hn::Mul(by_cosine, inverse), turn = hn::Mul(cosine, inverse);
  sums.px = hn::MulAdd(along, hn::MulAdd(turn, x, nx), sums.px);
  sums.py = hn::MulAdd(along, hn::MulAdd(turn, y, ny), sums.py);
  sums.pz = hn::MulAdd(along, hn::MulAdd(turn, z, nz), sums.pz);
  sums.k = hn::MulAdd(by_cosine, cosine, sums.k);
  return factor;
}

// Adds the derivatives of those of the points i .. i + lanes - 1 whose nearest site of the cell is `site`;
// g = dL/d(distance) by point. Returns the bits of these points.
template <bool kFirst, bool kFront>
HWY_INLINE std::uint32_t addPoints(const ReverseBlock& block, std::size_t cell, std::size_t i, std::int32_t site,
                                   const float* HWY_RESTRICT g_of_point, SiteSums& sums) {
  const Lane d;
  const Index di;
  const std::size_t at = cell * kBlock + i;
  const float* center = block.center + 4 * static_cast<std::size_t>(site);
  const float t = block.offset[site];
  const auto same = hn::RebindMask(d, hn::Eq(hn::LoadU(di, block.site + at), hn::Set(di, site)));
  Vector g = hn::IfThenElseZero(same, hn::Load(d, g_of_point + i));
  Vector inverse = hn::LoadU(d, block.inverse_distance + at), h = hn::LoadU(d, block.distance + at);
  const Vector x = hn::Sub(hn::Load(d, block.points->x + i), hn::Set(d, center[0]));
  const Vector y = hn::Sub(hn::Load(d, block.points->y + i), hn::Set(d, center[1]));
  const Vector z = hn::Sub(hn::Load(d, block.points->z + i), hn::Set(d, center[2]));
  if constexpr (kFront) {
    const Vector factor = addFactor(block, cell, i, x, y, z, g, sums);
    g = hn::Mul(g, factor);
    inverse = hn::Mul(inverse, factor);
    h = hn::Div(h, factor);
  }
  const Vector by_squared = hn::Mul(g, hn::Min(inverse, hn::Set(d, 1 / t)));
  const Vector gx = hn::Mul(by_squared, x), gy = hn::Mul(by_squared, y), gz = hn::Mul(by_squared, z);
  add<kFirst>(sums.ux, gx);
  add<kFirst>(sums.uy, gy);
  add<kFirst>(sums.uz, gz);
  const Vector inside = hn::Max(hn::Sub(hn::Set(d, t), h), hn::Zero(d));
  addProduct<kFirst>(sums.t, g, inside);
  addProduct<kFirst>(sums.xx, gx, x);
  addProduct<kFirst>(sums.xy, gx, y);
  addProduct<kFirst>(sums.xz, gx, z);
  addProduct<kFirst>(sums.yy, gy, y);
  addProduct<kFirst>(sums.yz, gy, z);
  addProduct<kFirst>(sums.zz, gz, z);
  return bitsOf(d, same) << i;
}

// The same for the whole block.
template <bool kFront>
HWY_INLINE std::uint32_t addSite(const ReverseBlock& block, std::size_t cell, std::int32_t site,
                                 const float* HWY_RESTRICT g_of_point) {
  const Lane d;
  SiteSums sums;
  if constexpr (kFront) sums.px = sums.py = sums.pz = sums.k = hn::Zero(d);
  std::uint32_t found = addPoints<true, kFront>(block, cell, 0, site, g_of_point, sums);
  for (std::size_t i = hn::Lanes(d); i < kBlock; i += hn::Lanes(d))
    found |= addPoints<false, kFront>(block, cell, i, site, g_of_point, sums);
  float* to = block.site_sums + static_cast<std::size_t>(site) * kSiteSums;
  addTo(to, sumsOf(d, sums.ux, sums.uy, sums.uz, sums.t));
  addTo(to + 4, sumsOf(d, sums.xx, sums.xy, sums.xz, sums.yy));
  addTo(to + 8, sumsOf(d, sums.yz, sums.zz));
  if constexpr (kFront)
    addTo(block.front_sums + static_cast<std::size_t>(site) * kFrontSums, sumsOf(d, sums.px, sums.py, sums.pz, sums.k));
  return found;
}

// Adds the derivatives that pass through the distances of the cell.
template <bool kFront>
HWY_INLINE void addDistances(const ReverseBlock& block, std::size_t cell, const float* HWY_RESTRICT by_reference) {
  const Lane d;
  HWY_ALIGN float g_of_point[kBlock];
  std::uint32_t left = 0;
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    Vector g = hn::LoadU(d, block.by_distance + cell * kBlock + i);
    const std::uint32_t at_reference = block.at_reference[cell] >> i;
    if (at_reference != 0) g = hn::Add(g, hn::IfThenElseZero(maskOf(d, at_reference), hn::Load(d, by_reference + i)));
    hn::Store(g, d, g_of_point + i);
    left |= bitsOf(d, hn::Ne(g, hn::Zero(d))) << i;
  }
  if (left == 0) return;
  touch(block, block.joint[cell]);
  while (left != 0)
    left &=
        ~addSite<kFront>(block, cell, block.site[cell * kBlock + hwy::Num0BitsBelowLS1Bit_Nonzero32(left)], g_of_point);
}

// From dL/d(weight) to dL/d(distance) of the cell, except for the part that passes through the reference distance,
// which is added to by_reference. Also adds to the sums of the joint.
HWY_INLINE void reverseWeights(const ReverseBlock& block, std::size_t cell, const float* HWY_RESTRICT mean,
                               const float* HWY_RESTRICT reference, float* HWY_RESTRICT by_reference) {
  const Lane d;
  const std::size_t j = block.joint[cell];
  const Vector zero = hn::Zero(d), one = hn::Set(d, 1.0F), r = hn::Set(d, block.falloff[j]);
  const Vector slack = hn::Set(d, block.cuts ? block.slack[j] : kInfinity); // without cuts nothing passes through D
  Vector by_slack = zero, by_falloff = zero;
  auto some = hn::FirstN(d, 0);
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    const std::size_t at = cell * kBlock + i;
    const Vector h = hn::LoadU(d, block.distance + at), above = hn::Sub(hn::Load(d, reference + i), h);
    const Vector gradient = hn::Sub(hn::LoadU(d, block.gradient + at), hn::Load(d, mean + i));
    const Vector g = hn::Mul(hn::LoadU(d, block.weight + at), gradient); // dL/d(log_raw)
    const auto counts = hn::Ne(g, zero);
    // One division serves both 1 / h and slope = d log_raw / d D = r / above, which is 0 if the slack decides.
    const auto decides = hn::And(counts, hn::Gt(above, slack));
    const Vector other = hn::IfThenElse(decides, above, one), quotient = hn::Div(one, hn::Mul(h, other));
    const Vector inverse = hn::Mul(quotient, other),
                 slope = hn::IfThenElseZero(decides, hn::Mul(r, hn::Mul(h, quotient)));
    by_slack = hn::Add(by_slack, hn::IfThenZeroElse(decides, g));
    const Vector through_reference = hn::Mul(g, slope);
    hn::Store(hn::Add(hn::Load(d, by_reference + i), through_reference), d, by_reference + i);
    hn::StoreU(hn::Neg(hn::MulAdd(hn::Mul(g, r), inverse, through_reference)), d, block.by_distance + at);
    hn::StoreU(inverse, d, block.inverse_distance + at);
    by_falloff = hn::MulAdd(g, hn::LoadU(d, block.log_raw + at), by_falloff);
    some = hn::Or(some, counts);
  }
  if (hn::AllFalse(d, some)) return;
  touch(block, j);
  float* sums = block.joint_sums + j * kJointSums;
  if (block.cuts) sums[0] += hn::GetLane(hn::SumOfLanes(d, by_slack)) * block.falloff[j];
  sums[1] += hn::GetLane(hn::SumOfLanes(d, by_falloff));
}

// The same for a cell that no point keeps, which is listed only because its distance is D at some point.
HWY_INLINE void reverseNoWeights(const ReverseBlock& block, std::size_t cell) {
  const Lane d;
  for (std::size_t at = cell * kBlock; at < (cell + 1) * kBlock; at += hn::Lanes(d)) {
    hn::StoreU(hn::Zero(d), d, block.by_distance + at);
    hn::StoreU(hn::Div(hn::Set(d, 1.0F), hn::LoadU(d, block.distance + at)), d, block.inverse_distance + at);
  }
}

void reverseBlock(const ReverseBlock& block) {
  const Lane d;
  HWY_ALIGN float mean[kBlock], reference[kBlock], by_reference[kBlock];
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    Vector sum = hn::Zero(d);
    for (std::size_t a = 0; a < block.cells; ++a)
      sum = hn::MulAdd(hn::LoadU(d, block.weight + a * kBlock + i), hn::LoadU(d, block.gradient + a * kBlock + i), sum);
    hn::Store(sum, d, mean + i);
    hn::Store(hn::Sqrt(hn::LoadU(d, block.reference2 + i)), d, reference + i);
    hn::Store(hn::Zero(d), d, by_reference + i);
  }
  for (std::size_t a = 0; a < block.cells; ++a)
    if (block.keep[a] != 0)
      reverseWeights(block, a, mean, reference, by_reference);
    else
      reverseNoWeights(block, a);
  for (std::size_t a = 0; a < block.cells; ++a)
    if (block.front.normals != nullptr)
      addDistances<true>(block, a, by_reference);
    else
      addDistances<false>(block, a, by_reference);
}

static void setEntries(Kernels& table) {
  table.reverseBlock = reverseBlock;
}

#endif

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels::simd {

HWY_EXPORT(setEntries);

void setFieldReverse(Kernels& table) {
  HWY_DYNAMIC_DISPATCH(setEntries)(table);
}

} // namespace skincells::kernels::simd
#endif
