// Adam's inner loop in Highway; adam_scalar.cpp says what it computes.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam_simd.cpp"
#include <hwy/foreach_target.h> // before highway.h, and so in a group of its own

#include <hwy/highway.h>

#include "kernels/adam.h"
#include "kernels/choose.h"

HWY_BEFORE_NAMESPACE();
namespace skincells::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void StepOfAdam(const AdamStep& s) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d), whole = s.size - s.size % n;
  const auto b1 = hn::Set(d, s.momentum), c1 = hn::Set(d, 1 - s.momentum);
  const auto b2 = hn::Set(d, s.square_momentum), c2 = hn::Set(d, 1 - s.square_momentum);
  const auto rate = hn::Set(d, s.rate), smallest = hn::Set(d, s.smallest);
  for (std::size_t i = 0; i < whole; i += n) {
    const auto g = hn::LoadU(d, s.gradient + i);
    const auto old_mean = hn::LoadU(d, s.mean + i), old_square = hn::LoadU(d, s.mean_square + i);
    const auto old_value = hn::LoadU(d, s.value + i);
    const auto good = hn::IsFinite(g);
    const auto mean = hn::MulAdd(b1, old_mean, hn::Mul(c1, g));
    const auto square = hn::MulAdd(b2, old_square, hn::Mul(hn::Mul(c2, g), g));
    const auto value = hn::Sub(old_value, hn::Div(hn::Mul(rate, mean), hn::Add(hn::Sqrt(square), smallest)));
    hn::StoreU(hn::IfThenElse(good, mean, old_mean), d, s.mean + i);
    hn::StoreU(hn::IfThenElse(good, square, old_square), d, s.mean_square + i);
    hn::StoreU(hn::IfThenElse(good, value, old_value), d, s.value + i);
  }
  AdamStep rest = s;
  rest.size -= whole, rest.gradient += whole, rest.mean += whole, rest.mean_square += whole, rest.value += whole;
  scalar::adamStep(rest);
}

} // namespace HWY_NAMESPACE
} // namespace skincells::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skincells::kernels {

HWY_EXPORT(StepOfAdam);

void adamStep(const AdamStep& step) {
  if (useScalar()) return scalar::adamStep(step);
  HWY_DYNAMIC_DISPATCH(StepOfAdam)(step);
}

} // namespace skincells::kernels
#endif
