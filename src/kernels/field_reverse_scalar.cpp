// The scalar definition of the field's reverse pass.
#include "kernels/field_reverse.h"

namespace skincells::kernels::scalar {
namespace {

void addOuter(const float* position, const float* centre, float g, float* sums) {
  const float u[3] = {position[0] - centre[0], position[1] - centre[1], position[2] - centre[2]};
  for (int i = 0; i < 3; ++i) {
    sums[i] += g * u[i];
    for (int k = 0; k < 3; ++k) sums[4 + 4 * i + k] += g * u[i] * u[k];
  }
}

#define HWY_INLINE_OR_PLAIN inline
#include "kernels/field_reverse-inl.h"

} // namespace

void reverseRun(const ReverseRun& run) {
  reverseAll(run);
}

} // namespace skincells::kernels::scalar
