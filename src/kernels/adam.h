// The argument of Adam's inner loop (Kingma and Ba 2015).
#pragma once

#include <cstddef>

namespace skincells::kernels {

// `rate` and `epsilon` include the bias corrections. The root mean square is sqrt(own * mean_square + floor).
struct AdamStep {
  std::size_t size = 0;
  const float* gradient = nullptr;
  float rate = 0, momentum = 0, square_momentum = 0, epsilon = 0, own = 1, floor = 0;
  float* mean = nullptr;
  float* mean_square = nullptr;
  float* value = nullptr;
};

} // namespace skincells::kernels
