// The inner loop of Adam (Kingma and Ba 2015).
#pragma once

#include <cstddef>

namespace skincells::kernels {

struct AdamStep {
  std::size_t size = 0;
  const float* gradient = nullptr;
  float rate = 0; // bias corrections included, as in `smallest`
  float momentum = 0, square_momentum = 0, smallest = 0;
  float* mean = nullptr;
  float* mean_square = nullptr;
  float* value = nullptr;
};

// With g the gradient: mean = b1 mean + (1 - b1) g, mean_square = b2 mean_square + (1 - b2) g^2 and
// value -= rate mean / (sqrt(mean_square) + smallest). Numbers whose gradient is not finite stay as they are.
void adamStep(const AdamStep& step);

// The definition.
namespace scalar {
void adamStep(const AdamStep& step);
} // namespace scalar

} // namespace skincells::kernels
