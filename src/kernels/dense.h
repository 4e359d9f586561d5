// The argument of a dense layer of a small network.
#pragma once

#include <cstddef>

namespace skincells::kernels {

// Rows of numbers, one after the other.
struct DenseLayer {
  std::size_t rows = 0, inputs = 0, outputs = 0;
  const float* input = nullptr;   // rows x inputs
  const float* weights = nullptr; // inputs x outputs
  float* output = nullptr;        // rows x outputs; holds what the sums start with
};

} // namespace skincells::kernels
