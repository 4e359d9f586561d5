// The loss over the steps of a stage as an inline SVG picture.
#pragma once

#include <string>

#include "skincells/fit.h"

namespace skincells::page {

// At least two finite values.
bool isDrawable(const LossCurve& curve);

// SVG markup: the loss as a line on a logarithmic scale, the held-out loss as dots. The page's style sheet colors it.
// The curve must be drawable.
std::string lossPlot(const LossCurve& curve);

} // namespace skincells::page
