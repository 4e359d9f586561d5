#include "optim/adam.h"

#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "kernels/kernels.h"

namespace skincells::optim {

Adam::Adam(std::size_t size, std::vector<AdamGroup> groups, const AdamOptions& options)
    : options_(options), groups_(std::move(groups)), mean_(size, 0.0F), mean_square_(size, 0.0F) {
  for (const AdamGroup& g : groups_) SKINCELLS_ASSERT(g.begin <= g.end && g.end <= size);
}

void Adam::step(std::span<float> values, std::span<const float> gradient, float rate_scale) {
  SKINCELLS_ASSERT(values.size() == mean_.size() && gradient.size() == mean_.size());
  ++steps_;
  // The bias corrections of both means, folded into the rate and epsilon.
  const double correction1 = 1 - std::pow(static_cast<double>(options_.momentum), steps_);
  const double correction2 = 1 - std::pow(static_cast<double>(options_.square_momentum), steps_);
  const auto root2 = static_cast<float>(std::sqrt(correction2));
  const float epsilon = options_.epsilon * root2;
  for (const AdamGroup& group : groups_) {
    const float rate = group.rate * rate_scale * root2 / static_cast<float>(correction1);
    if (rate == 0) continue;
    kernels::active().adamStep({.size = group.end - group.begin,
                                .gradient = gradient.data() + group.begin,
                                .rate = rate,
                                .momentum = options_.momentum,
                                .square_momentum = options_.square_momentum,
                                .epsilon = epsilon,
                                .mean = mean_.data() + group.begin,
                                .mean_square = mean_square_.data() + group.begin,
                                .value = values.data() + group.begin});
  }
}

float cosineSchedule(int step, int steps) {
  return steps <= 0 ? 0.0F : static_cast<float>(0.5 * (1 + std::cos(std::numbers::pi * step / steps)));
}

} // namespace skincells::optim
