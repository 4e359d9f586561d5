// Sparsity: a vertex should stay where it is when all but its K largest weights are dropped.
//
//   1/P sum |LBS(w) - LBS(the K largest of w, divided by their sum)|^2
//
// Without dividing by the sum the loss would depend on where the origin is.
#pragma once

#include "weights/rows.h"

namespace skincells::loss {

// For the rows [begin, end) in four poses: returns the value and adds its derivative, the part through LBS(w) to
// posed_gradient (to be carried on by deform::addWeightGradient), the part through the kept weights to
// weight_gradient. `posed` is LBS(w). Rows of at most K entries cost nothing.
template <class T>
T addSparsity(const weights::WeightRowsOf<T>& rows, int max_influences, std::size_t begin, std::size_t end,
              const T* rest, const T* matrices, const T* posed, const T* lane_weight, T* posed_gradient,
              T* weight_gradient);

} // namespace skincells::loss
