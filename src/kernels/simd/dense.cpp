// A dense layer in Highway; scalar/dense.cpp is its definition. The results are the same bits on every instruction set:
// each sum is added in the order of the inputs, and products are rounded before they are added.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/dense.cpp"
#include <hwy/foreach_target.h> // has to precede highway.h, hence in a separate group

#include <hwy/highway.h>

#include "kernels/parts.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Eight rows and one vector of outputs at a time stay in registers.
void addEightRows(const DenseLayer& layer, std::size_t row, std::size_t o) {
  const hn::ScalableTag<float> d;
  const float* x = layer.input + row * layer.inputs;
  float* y = layer.output + row * layer.outputs + o;
  const std::size_t in = layer.inputs, out = layer.outputs;
  auto s0 = hn::LoadU(d, y), s1 = hn::LoadU(d, y + out), s2 = hn::LoadU(d, y + 2 * out), s3 = hn::LoadU(d, y + 3 * out);
  auto s4 = hn::LoadU(d, y + 4 * out), s5 = hn::LoadU(d, y + 5 * out), s6 = hn::LoadU(d, y + 6 * out),
       s7 = hn::LoadU(d, y + 7 * out);
  for (std::size_t i = 0; i < in; ++i) {
    const auto w = hn::LoadU(d, layer.weights + i * out + o);
    s0 = hn::Add(s0, hn::Mul(hn::Set(d, x[i]), w));
    s1 = hn::Add(s1, hn::Mul(hn::Set(d, x[in + i]), w));
    s2 = hn::Add(s2, hn::Mul(hn::Set(d, x[2 * in + i]), w));
    s3 = hn::Add(s3, hn::Mul(hn::Set(d, x[3 * in + i]), w));
    s4 = hn::Add(s4, hn::Mul(hn::Set(d, x[4 * in + i]), w));
    s5 = hn::Add(s5, hn::Mul(hn::Set(d, x[5 * in + i]), w));
    s6 = hn::Add(s6, hn::Mul(hn::Set(d, x[6 * in + i]), w));
    s7 = hn::Add(s7, hn::Mul(hn::Set(d, x[7 * in + i]), w));
  }
  hn::StoreU(s0, d, y);
  hn::StoreU(s1, d, y + out);
  hn::StoreU(s2, d, y + 2 * out);
  hn::StoreU(s3, d, y + 3 * out);
  hn::StoreU(s4, d, y + 4 * out);
  hn::StoreU(s5, d, y + 5 * out);
  hn::StoreU(s6, d, y + 6 * out);
  hn::StoreU(s7, d, y + 7 * out);
}

void addDense(const DenseLayer& layer) {
  constexpr std::size_t kRows = 8;
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<float>());
  if (layer.outputs % lanes != 0) return scalarKernels().addDense(layer);
  const std::size_t whole = layer.rows - layer.rows % kRows;
  for (std::size_t r = 0; r < whole; r += kRows)
    for (std::size_t o = 0; o < layer.outputs; o += lanes) addEightRows(layer, r, o);
  DenseLayer rest = layer;
  rest.rows -= whole;
  rest.input += whole * layer.inputs;
  rest.output += whole * layer.outputs;
  scalarKernels().addDense(rest);
}

static void setEntries(Kernels& table) {
  table.addDense = addDense;
}

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels::simd {

HWY_EXPORT(setEntries);

void setDense(Kernels& table) {
  HWY_DYNAMIC_DISPATCH(setEntries)(table);
}

} // namespace skincells::kernels::simd
#endif
