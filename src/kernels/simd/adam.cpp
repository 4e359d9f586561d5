// Adam's inner loop in Highway; scalar/adam.cpp is its definition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/adam.cpp"
#include <hwy/foreach_target.h> // has to precede highway.h, hence in a separate group

#include <hwy/highway.h>

#include "kernels/parts.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void adamStep(const AdamStep& s) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d), whole = s.size - s.size % n;
  const auto b1 = hn::Set(d, s.momentum), c1 = hn::Set(d, 1 - s.momentum);
  const auto b2 = hn::Set(d, s.square_momentum), c2 = hn::Set(d, 1 - s.square_momentum);
  const auto rate = hn::Set(d, s.rate), epsilon = hn::Set(d, s.epsilon);
  const auto own = hn::Set(d, s.own), floor = hn::Set(d, s.floor);
  for (std::size_t i = 0; i < whole; i += n) {
    const auto g = hn::LoadU(d, s.gradient + i);
    const auto old_mean = hn::LoadU(d, s.mean + i), old_square = hn::LoadU(d, s.mean_square + i);
    const auto old_value = hn::LoadU(d, s.value + i);
    const auto finite = hn::IsFinite(g);
    const auto mean = hn::MulAdd(b1, old_mean, hn::Mul(c1, g));
    const auto square = hn::MulAdd(b2, old_square, hn::Mul(hn::Mul(c2, g), g));
    const auto root = hn::Sqrt(hn::MulAdd(own, square, floor));
    const auto value = hn::Sub(old_value, hn::Div(hn::Mul(rate, mean), hn::Add(root, epsilon)));
    hn::StoreU(hn::IfThenElse(finite, mean, old_mean), d, s.mean + i);
    hn::StoreU(hn::IfThenElse(finite, square, old_square), d, s.mean_square + i);
    hn::StoreU(hn::IfThenElse(finite, value, old_value), d, s.value + i);
  }
  AdamStep rest = s;
  rest.size -= whole;
  rest.gradient += whole;
  rest.mean += whole;
  rest.mean_square += whole;
  rest.value += whole;
  scalarKernels().adamStep(rest);
}

static void setEntries(Kernels& table) {
  table.adamStep = adamStep;
}

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels::simd {

HWY_EXPORT(setEntries);

void setAdam(Kernels& table) {
  HWY_DYNAMIC_DISPATCH(setEntries)(table);
}

} // namespace skincells::kernels::simd
#endif
