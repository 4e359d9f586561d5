// The definition of Adam's inner loop.
#include <cmath>

#include "kernels/parts.h"

namespace skincells::kernels::scalar {
namespace {

void adamStep(const AdamStep& s) {
  for (std::size_t i = 0; i < s.size; ++i) {
    const float g = s.gradient[i];
    if (!std::isfinite(g)) continue;
    s.mean[i] = s.momentum * s.mean[i] + (1 - s.momentum) * g;
    s.mean_square[i] = s.square_momentum * s.mean_square[i] + (1 - s.square_momentum) * g * g;
    s.value[i] -= s.rate * s.mean[i] / (std::sqrt(s.own * s.mean_square[i] + s.floor) + s.epsilon);
  }
}

} // namespace

void setAdam(Kernels& table) {
  table.adamStep = adamStep;
}

} // namespace skincells::kernels::scalar
