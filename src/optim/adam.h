// Adam (Kingma and Ba 2015) over a flat vector, with a rate for each range of it. Knows nothing of what the
// numbers mean.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace skincells::optim {

// The numbers [begin, end) move with `rate`; at rate 0 they stay as they are.
struct AdamGroup {
  std::size_t begin = 0, end = 0;
  float rate = 0;
};

struct AdamOptions {
  float momentum = 0.9F;           // decay of the mean gradient
  float square_momentum = 0.999F;  // decay of the mean squared gradient
  float smallest_gradient = 1e-8F; // added to the root mean square: gradients far below it hardly move anything
};

class Adam {
public:
  // Numbers outside every group stay as they are. Groups must lie within [0, size) and not overlap.
  Adam(std::size_t size, std::vector<AdamGroup> groups, const AdamOptions& options = {});

  // One step down `gradient`; every rate is multiplied by `rate_scale`. Numbers whose gradient is not finite stay
  // as they are in this step.
  void step(std::span<float> values, std::span<const float> gradient, float rate_scale);

private:
  AdamOptions options_;
  std::vector<AdamGroup> groups_;
  std::vector<float> mean_, mean_square_;
  int steps_ = 0;
};

// Rate factor of step `step` out of `steps`, a cosine from 1 (step 0) towards 0 (step == steps).
float cosineSchedule(int step, int steps);

} // namespace skincells::optim
