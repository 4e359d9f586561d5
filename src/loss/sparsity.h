// Sparsity: a vertex should not move when all but its K largest weights are dropped.
//
//   1/P sum |LBS(w) - LBS(the K largest of w, divided by their sum)|^2
//
// Without the division by the sum, the loss would depend on the position of the origin.
#pragma once

#include "kernels/quad_range.h"

namespace skincells::loss {

template <class T> class Sparsity {
public:
  explicit Sparsity(int max_influences) : max_influences_(max_influences) {}

  // The value for the vertices of the range, each pose multiplied by its lane weight. Adds the derivative: the part
  // through LBS(w), which is range.posed, to range.posed_gradient, the part through the kept weights to
  // range.weight_gradient. Rows of at most K entries cost nothing.
  T add(const kernels::QuadRange<T>& range, const T* lane_weight) const;

private:
  int max_influences_;
};

} // namespace skincells::loss
