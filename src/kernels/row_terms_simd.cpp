// The location and sparsity loops in Highway; row_terms-inl.h holds the loops themselves.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_terms_simd.cpp"
#include <hwy/foreach_target.h> // before highway.h, and so in a group of its own

#include <hwy/highway.h>

#include "kernels/choose.h"
#include "kernels/row_terms.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // no four lanes there: the definition is as good

float AddSprings(const SpringView& springs, std::size_t begin, std::size_t end, const float* posed,
                 const float* matrices, const float* lane_weight, float* posed_gradient) {
  return scalar::addSprings(springs, begin, end, posed, matrices, lane_weight, posed_gradient);
}

float AddTails(const RowView& rows, int max_influences, float least_tail, std::size_t begin, std::size_t end,
               const float* rest, const float* matrices, const float* posed, const float* lane_weight,
               float* posed_gradient, float* weight_gradient) {
  return scalar::addTails(rows, max_influences, least_tail, begin, end, rest, matrices, posed, lane_weight,
                          posed_gradient, weight_gradient);
}

#else

#include "kernels/quad_simd-inl.h"
#include "kernels/row_terms-inl.h"

float AddSprings(const SpringView& springs, std::size_t begin, std::size_t end, const float* posed,
                 const float* matrices, const float* lane_weight, float* posed_gradient) {
  return springsWith<Four>(springs, begin, end, posed, matrices, lane_weight, posed_gradient);
}

float AddTails(const RowView& rows, int max_influences, float least_tail, std::size_t begin, std::size_t end,
               const float* rest, const float* matrices, const float* posed, const float* lane_weight,
               float* posed_gradient, float* weight_gradient) {
  return tailsWith<Four>(rows, static_cast<std::size_t>(max_influences), least_tail, begin, end, rest, matrices, posed,
                         lane_weight, posed_gradient, weight_gradient);
}

#endif

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels {

HWY_EXPORT(AddSprings);
HWY_EXPORT(AddTails);

float addSprings(const SpringView& springs, std::size_t begin, std::size_t end, const float* posed,
                 const float* matrices, const float* lane_weight, float* posed_gradient) {
  if (useScalar()) return scalar::addSprings(springs, begin, end, posed, matrices, lane_weight, posed_gradient);
  return HWY_DYNAMIC_DISPATCH(AddSprings)(springs, begin, end, posed, matrices, lane_weight, posed_gradient);
}

float addTails(const RowView& rows, int max_influences, float least_tail, std::size_t begin, std::size_t end,
               const float* rest, const float* matrices, const float* posed, const float* lane_weight,
               float* posed_gradient, float* weight_gradient) {
  if (useScalar())
    return scalar::addTails(rows, max_influences, least_tail, begin, end, rest, matrices, posed, lane_weight,
                            posed_gradient, weight_gradient);
  return HWY_DYNAMIC_DISPATCH(AddTails)(rows, max_influences, least_tail, begin, end, rest, matrices, posed,
                                        lane_weight, posed_gradient, weight_gradient);
}

} // namespace skincells::kernels
#endif
