// The location and sparsity loops in Highway; row_terms-inl.h holds the loops themselves.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/row_terms.cpp"
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

#include "kernels/row_terms-inl.h"

float addSprings(const SpringView<float>& springs, const QuadRange<float>& range, const float* lane_weight) {
  return springsWith<Four>(springs, range, lane_weight);
}

float addTails(const TailLimits<float>& limits, const QuadRange<float>& range, const float* lane_weight) {
  return tailsWith<Four>(limits, range, lane_weight);
}

static void setEntries(Kernels& table) {
  table.addSprings = addSprings;
  table.addTails = addTails;
}

#endif

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels::simd {

HWY_EXPORT(setEntries);

void setRowTerms(Kernels& table) {
  HWY_DYNAMIC_DISPATCH(setEntries)(table);
}

} // namespace skincells::kernels::simd
#endif
