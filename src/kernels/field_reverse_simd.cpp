// The field's reverse pass in Highway; field_reverse-inl.h holds the loops.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/field_reverse_simd.cpp"
#include <hwy/foreach_target.h> // before highway.h, and so in a group of its own

#include <hwy/highway.h>

#include "kernels/choose.h"
#include "kernels/field_reverse.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // no four lanes there: the definition is as good

void ReverseRunOf(const ReverseRun& run) {
  scalar::reverseRun(run);
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using Lane = hn::FixedTag<float, 4>;

HWY_INLINE void addOuter(const float* position, const float* centre, float g, float* sums) {
  const Lane d;
  const auto u = hn::Sub(hn::LoadU(d, position), hn::LoadU(d, centre)); // the fourth lane is 0
  const auto gu = hn::Mul(hn::Set(d, g), u);
  hn::StoreU(hn::Add(hn::LoadU(d, sums), gu), d, sums);
  hn::StoreU(hn::MulAdd(hn::Broadcast<0>(gu), u, hn::LoadU(d, sums + 4)), d, sums + 4);
  hn::StoreU(hn::MulAdd(hn::Broadcast<1>(gu), u, hn::LoadU(d, sums + 8)), d, sums + 8);
  hn::StoreU(hn::MulAdd(hn::Broadcast<2>(gu), u, hn::LoadU(d, sums + 12)), d, sums + 12);
}

#undef HWY_INLINE_OR_PLAIN
#define HWY_INLINE_OR_PLAIN HWY_INLINE
#include "kernels/field_reverse-inl.h"

void ReverseRunOf(const ReverseRun& run) {
  reverseAll(run);
}

#endif

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels {

HWY_EXPORT(ReverseRunOf);

void reverseRun(const ReverseRun& run) {
  if (useScalar()) return scalar::reverseRun(run);
  HWY_DYNAMIC_DISPATCH(ReverseRunOf)(run);
}

} // namespace skincells::kernels
#endif
