// The scalar definition of the smoothness loops.
#include "kernels/smoothness.h"

#include <algorithm>
#include <cmath>

namespace skincells::kernels::scalar {
namespace {

#include "kernels/quad_scalar-inl.h"
#include "kernels/smoothness-inl.h"

} // namespace

template <class T>
T smoothnessForces(const SmoothnessViewOf<T>& mesh, std::size_t begin, std::size_t end, const T* posed,
                   const T* lane_weight, T* scratch, T* force) {
  return forcesWith<Four<T>>(mesh, begin, end, posed, lane_weight, scratch, force);
}

template <class T>
void transposedLaplacian(const SmoothnessViewOf<T>& mesh, std::size_t begin, std::size_t end, const T* force,
                         T* posed_gradient) {
  transposedWith<Four<T>>(mesh, begin, end, force, posed_gradient);
}

template float smoothnessForces(const SmoothnessViewOf<float>&, std::size_t, std::size_t, const float*, const float*,
                                float*, float*);
template double smoothnessForces(const SmoothnessViewOf<double>&, std::size_t, std::size_t, const double*,
                                 const double*, double*, double*);
template void transposedLaplacian(const SmoothnessViewOf<float>&, std::size_t, std::size_t, const float*, float*);
template void transposedLaplacian(const SmoothnessViewOf<double>&, std::size_t, std::size_t, const double*, double*);

} // namespace skincells::kernels::scalar
