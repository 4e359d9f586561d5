// A picture of a loss over its steps.
#pragma once

#include "skincells/bind.h"
#include "skincells/viz/render.h"

namespace skincells::page {

// Can it be drawn? Two values at least, all of them finite.
bool isDrawable(const LossCurve& curve);

// Training loss as a blue line, held-out loss as orange dots where it was watched; steps to the right, logarithmic
// upwards, with a grid line at 1, 2 and 5 times each power of ten. The curve must be drawable.
Image lossPlot(const LossCurve& curve);

} // namespace skincells::page
