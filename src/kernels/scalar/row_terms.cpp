// The definitions of the location and sparsity loops.
#include <algorithm>
#include <cmath>

#include "kernels/parts.h"

namespace skincells::kernels::scalar {
namespace {

#include "kernels/scalar/quad-inl.h"

#include "kernels/row_terms-inl.h"

} // namespace

template <class T> void setRowTerms(PoseKernels<T>& table) {
  table.addSprings = springsWith<Four<T>, T>;
  table.addTails = tailsWith<Four<T>, T>;
}
template void setRowTerms(PoseKernels<float>&);
template void setRowTerms(PoseKernels<double>&);

} // namespace skincells::kernels::scalar
