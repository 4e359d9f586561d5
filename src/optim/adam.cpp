#include "optim/adam.h"

#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "kernels/kernels.h"

namespace skincells::optim {
namespace {

double meanSquare(std::span<const float> gradient) {
  double sum = 0;
  for (float g : gradient)
    if (std::isfinite(g)) sum += static_cast<double>(g) * static_cast<double>(g);
  return sum / static_cast<double>(gradient.size());
}

} // namespace

Adam::Adam(std::size_t size, std::vector<AdamGroup> groups, const AdamOptions& options)
    : options_(options), groups_(std::move(groups)), mean_(size, 0.0F), mean_square_(size, 0.0F) {
  std::size_t blocks = 0;
  for (const AdamGroup& g : groups_) {
    SKINCELLS_ASSERT(g.begin <= g.end && g.end <= size && g.block > 0 && (g.end - g.begin) % g.block == 0);
    blocks += (g.end - g.begin) / g.block;
  }
  block_square_.resize(blocks);
}

void Adam::step(std::span<float> values, std::span<const float> gradient, float rate_scale) {
  SKINCELLS_ASSERT(values.size() == mean_.size() && gradient.size() == mean_.size());
  ++steps_;
  // The bias corrections of both means, folded into the rate and epsilon.
  const double correction1 = 1 - std::pow(static_cast<double>(options_.momentum), steps_);
  const double correction2 = 1 - std::pow(static_cast<double>(options_.square_momentum), steps_);
  const auto root2 = static_cast<float>(std::sqrt(correction2));
  const float epsilon = options_.epsilon * root2;
  const auto keep = static_cast<double>(options_.square_momentum);
  double* square = block_square_.data();
  for (const AdamGroup& group : groups_) {
    const std::size_t blocks = (group.end - group.begin) / group.block;
    const float rate = group.rate * rate_scale * root2 / static_cast<float>(correction1);
    for (std::size_t b = 0; rate != 0 && b < blocks; ++b) {
      const std::size_t first = group.begin + b * group.block;
      square[b] = keep * square[b] + (1 - keep) * meanSquare(gradient.subspan(first, group.block));
      kernels::active().adamStep({.size = group.block,
                                  .gradient = gradient.data() + first,
                                  .rate = rate,
                                  .momentum = options_.momentum,
                                  .square_momentum = options_.square_momentum,
                                  .epsilon = epsilon,
                                  .own = 1 - options_.shared,
                                  .floor = static_cast<float>(static_cast<double>(options_.shared) * square[b]),
                                  .mean = mean_.data() + first,
                                  .mean_square = mean_square_.data() + first,
                                  .value = values.data() + first});
    }
    square += blocks;
  }
}

float cosineSchedule(int step, int steps) {
  return steps <= 0 ? 0.0F : static_cast<float>(0.5 * (1 + std::cos(std::numbers::pi * step / steps)));
}

} // namespace skincells::optim
