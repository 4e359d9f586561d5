// What the colours of a sheet mean, written below it.
#pragma once

#include "skincells/render.h"

namespace skincells::render {

// The sheet with a scale below it; unchanged for modes whose colours need no explaining.
Image withLegend(Image sheet, ColorMode mode, const SheetOptions& options);

} // namespace skincells::render
