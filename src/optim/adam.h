// Adam (Kingma and Ba 2015) over a flat vector of numbers, with a separate rate for each range of it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace skincells::optim {

// The learning rate of the numbers [begin, end); at rate 0 they do not change.
struct AdamGroup {
  std::size_t begin = 0, end = 0;
  float rate = 0;
  std::size_t block = 1; // numbers in a row that share a part of their mean squares; divides end - begin
};

struct AdamOptions {
  float momentum = 0.9F;          // decay of the mean gradient
  float square_momentum = 0.999F; // decay of the mean squared gradient
  float epsilon = 1e-8F;          // added to the root mean square; much smaller gradients have almost no effect
  // The part of a mean square that is the mean over the block. Without it, numbers whose gradient is nothing but
  // rounding (a turn of a round site, a coordinate across a mirror plane) take steps as large as all others.
  float shared = 0.3F;
};

class Adam {
public:
  // Numbers outside all groups do not change. Groups must be within [0, size) and must not overlap.
  Adam(std::size_t size, std::vector<AdamGroup> groups, const AdamOptions& options = {});

  // One step against `gradient`, with all rates multiplied by `rate_scale`. Numbers whose gradient is not finite do not
  // change in this step.
  void step(std::span<float> values, std::span<const float> gradient, float rate_scale);

private:
  AdamOptions options_;
  std::vector<AdamGroup> groups_;
  std::vector<float> mean_, mean_square_;
  std::vector<double> block_square_; // mean square of the blocks, all groups in a row
  int steps_ = 0;
};

// Rate factor of step `step` of `steps`: a cosine from 1 at step 0 to 0 at step == steps.
float cosineSchedule(int step, int steps);

} // namespace skincells::optim
