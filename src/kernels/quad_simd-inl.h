// Four numbers side by side in a Highway vector: Q of the fast versions. For inclusion in HWY_NAMESPACE, on targets
// that have four lanes.

namespace hn = hwy::HWY_NAMESPACE;
using Lane = hn::FixedTag<float, 4>;
using Four = hn::Vec<Lane>;

template <class Q> HWY_INLINE Q load(const float* from) {
  return hn::LoadU(Lane(), from);
}
template <class Q> HWY_INLINE Q same(float value) {
  return hn::Set(Lane(), value);
}
HWY_INLINE void store(Four a, float* to) {
  hn::StoreU(a, Lane(), to);
}
HWY_INLINE Four add(Four a, Four b) {
  return hn::Add(a, b);
}
HWY_INLINE Four sub(Four a, Four b) {
  return hn::Sub(a, b);
}
HWY_INLINE Four mul(Four a, Four b) {
  return hn::Mul(a, b);
}
HWY_INLINE Four mulAdd(Four a, Four b, Four c) {
  return hn::MulAdd(a, b, c);
}
// 1 / sqrt, and finite at 0.
HWY_INLINE Four inverseRoot(Four a) {
  return hn::Div(hn::Set(Lane(), 1.0F), hn::Sqrt(hn::Max(a, hn::Set(Lane(), 1e-30F))));
}

#undef HWY_INLINE_OR_PLAIN
#undef HWY_ATTR_OR_NOTHING
#define HWY_INLINE_OR_PLAIN HWY_INLINE
#define HWY_ATTR_OR_NOTHING HWY_ATTR
#include "kernels/quad-inl.h"
