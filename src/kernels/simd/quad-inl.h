// Q of the SIMD versions: four numbers in a Highway vector. To be included in HWY_NAMESPACE, on targets that have four
// lanes.

namespace hn = hwy::HWY_NAMESPACE;
using Four = hn::Vec<hn::FixedTag<float, 4>>;

// The operations accept vectors of any length, so that two quads can share one.
template <class Q> HWY_INLINE Q load(const float* from) {
  return hn::LoadU(hn::DFromV<Q>(), from);
}
template <class Q> HWY_INLINE Q broadcast(float value) {
  return hn::Set(hn::DFromV<Q>(), value);
}
template <class Q> HWY_INLINE void store(Q a, float* to) {
  hn::StoreU(a, hn::DFromV<Q>(), to);
}
template <class Q> HWY_INLINE Q add(Q a, Q b) {
  return hn::Add(a, b);
}
template <class Q> HWY_INLINE Q sub(Q a, Q b) {
  return hn::Sub(a, b);
}
template <class Q> HWY_INLINE Q mul(Q a, Q b) {
  return hn::Mul(a, b);
}
template <class Q> HWY_INLINE Q mulAdd(Q a, Q b, Q c) {
  return hn::MulAdd(a, b, c);
}
template <class Q> HWY_INLINE Q mulSub(Q a, Q b, Q c) {
  return hn::MulSub(a, b, c);
}
template <class Q> HWY_INLINE Q negMulAdd(Q a, Q b, Q c) {
  return hn::NegMulAdd(a, b, c);
}
// 1 / sqrt(a), with a finite value at 0.
template <class Q> HWY_INLINE Q inverseRoot(Q a) {
  return hn::Div(broadcast<Q>(1.0F), hn::Sqrt(hn::Max(a, broadcast<Q>(1e-30F))));
}

#undef SKINCELLS_QUAD_INLINE
#undef SKINCELLS_QUAD_ATTR
#define SKINCELLS_QUAD_INLINE HWY_INLINE
#define SKINCELLS_QUAD_ATTR HWY_ATTR
#include "kernels/quad-inl.h"

// The twelve numbers of a vector, for operations that do not depend on the axis.
#if HWY_MAX_BYTES >= 32

struct EightAndFour {
  hn::Vec<hn::FixedTag<float, 8>> xy;
  Four z;
};
template <class Q> using Twelve = EightAndFour;
template <class Q> HWY_INLINE EightAndFour loadTwelve(const float* from) {
  return {hn::LoadU(hn::FixedTag<float, 8>(), from), hn::LoadU(hn::FixedTag<float, 4>(), from + 8)};
}
HWY_INLINE void storeTwelve(const EightAndFour& a, float* to) {
  hn::StoreU(a.xy, hn::FixedTag<float, 8>(), to);
  hn::StoreU(a.z, hn::FixedTag<float, 4>(), to + 8);
}
HWY_INLINE EightAndFour minus(const EightAndFour& a, const EightAndFour& b) {
  return {hn::Sub(a.xy, b.xy), hn::Sub(a.z, b.z)};
}
HWY_INLINE EightAndFour plus(const EightAndFour& a, const EightAndFour& b) {
  return {hn::Add(a.xy, b.xy), hn::Add(a.z, b.z)};
}
HWY_INLINE EightAndFour plusTimes(const EightAndFour& sum, const EightAndFour& a, Four s) {
  return {hn::MulAdd(a.xy, hn::Combine(hn::FixedTag<float, 8>(), s, s), sum.xy), hn::MulAdd(a.z, s, sum.z)};
}
HWY_INLINE QuadVector<Four> byAxis(const EightAndFour& a) {
  const hn::FixedTag<float, 4> half;
  return {hn::LowerHalf(half, a.xy), hn::UpperHalf(half, a.xy), a.z};
}

#else

template <class Q> using Twelve = QuadVector<Q>;
template <class Q> HWY_INLINE QuadVector<Q> loadTwelve(const float* from) {
  return loadVector<Q>(from);
}
template <class Q> HWY_INLINE void storeTwelve(const QuadVector<Q>& a, float* to) {
  storeVector(a, to);
}
template <class Q> HWY_INLINE QuadVector<Q> byAxis(const QuadVector<Q>& a) {
  return a;
}

#endif
