// The definitions of the smoothness loops.
#include <algorithm>
#include <cmath>

#include "kernels/parts.h"

namespace skincells::kernels::scalar {
namespace {

#include "kernels/scalar/quad-inl.h"

#include "kernels/smoothness-inl.h"

} // namespace

template <class T> void setSmoothness(PoseKernels<T>& table) {
  table.smoothnessForces = forcesWith<Four<T>, T>;
  table.transposedLaplacian = transposedWith<Four<T>, T>;
}
template void setSmoothness(PoseKernels<float>&);
template void setSmoothness(PoseKernels<double>&);

} // namespace skincells::kernels::scalar
