// The smoothness loops in Highway; smoothness-inl.h holds the loops themselves.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/smoothness_simd.cpp"
#include <hwy/foreach_target.h> // before highway.h, and so in a group of its own

#include <hwy/highway.h>

#include "kernels/choose.h"
#include "kernels/smoothness.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // no four lanes there: the definition is as good

float SmoothnessForces(const SmoothnessView& mesh, std::size_t begin, std::size_t end, const float* posed,
                       const float* lane_weight, float* scratch, float* force) {
  return scalar::smoothnessForces(mesh, begin, end, posed, lane_weight, scratch, force);
}

void AddTransposedLaplacian(const SmoothnessView& mesh, std::size_t begin, std::size_t end, const float* force,
                            float* posed_gradient) {
  scalar::addTransposedLaplacian(mesh, begin, end, force, posed_gradient);
}

#else

#include "kernels/quad_simd-inl.h"
#include "kernels/smoothness-inl.h"

float SmoothnessForces(const SmoothnessView& mesh, std::size_t begin, std::size_t end, const float* posed,
                       const float* lane_weight, float* scratch, float* force) {
  return forcesWith<Four>(mesh, begin, end, posed, lane_weight, scratch, force);
}

void AddTransposedLaplacian(const SmoothnessView& mesh, std::size_t begin, std::size_t end, const float* force,
                            float* posed_gradient) {
  transposedWith<Four>(mesh, begin, end, force, posed_gradient);
}

#endif

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels {

HWY_EXPORT(SmoothnessForces);
HWY_EXPORT(AddTransposedLaplacian);

float smoothnessForces(const SmoothnessView& mesh, std::size_t begin, std::size_t end, const float* posed,
                       const float* lane_weight, float* scratch, float* force) {
  if (useScalar()) return scalar::smoothnessForces(mesh, begin, end, posed, lane_weight, scratch, force);
  return HWY_DYNAMIC_DISPATCH(SmoothnessForces)(mesh, begin, end, posed, lane_weight, scratch, force);
}

void addTransposedLaplacian(const SmoothnessView& mesh, std::size_t begin, std::size_t end, const float* force,
                            float* posed_gradient) {
  if (useScalar()) return scalar::addTransposedLaplacian(mesh, begin, end, force, posed_gradient);
  HWY_DYNAMIC_DISPATCH(AddTransposedLaplacian)(mesh, begin, end, force, posed_gradient);
}

} // namespace skincells::kernels
#endif
