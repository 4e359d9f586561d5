// The definition of a dense layer.
#include "kernels/parts.h"

namespace skincells::kernels::scalar {
namespace {

void addDense(const DenseLayer& layer) {
  for (std::size_t r = 0; r < layer.rows; ++r)
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      const float x = layer.input[r * layer.inputs + i];
      const float* weights = layer.weights + i * layer.outputs;
      float* output = layer.output + r * layer.outputs;
      for (std::size_t o = 0; o < layer.outputs; ++o) output[o] += x * weights[o];
    }
}

} // namespace

void setDense(Kernels& table) {
  table.addDense = addDense;
}

} // namespace skincells::kernels::scalar
