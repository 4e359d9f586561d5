// What the colors of a sheet mean, written below it.
#pragma once

#include <span>

#include "skincells/viz/render.h"

namespace skincells::render {

// Joints per vertex at the end of the scale: the usual four, or the most that there can be where a skin has more.
int mostInfluencesShown(std::span<const LabeledSkin> skins);

// The sheet with a scale below it; unchanged for modes whose colors need no explaining.
Image withLegend(Image sheet, ColorMode mode, const SheetOptions& options, int most_influences = kMaxInfluences);
// The scale alone; empty for modes whose colors need no explaining.
Image legendAlone(ColorMode mode, const SheetOptions& options, int most_influences = kMaxInfluences);

} // namespace skincells::render
