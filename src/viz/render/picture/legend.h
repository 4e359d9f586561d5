// The scale of colors below a sheet.
#pragma once

#include <span>

#include "skincells/viz/character_sheet.h"

namespace skincells::render {

// Joints per vertex at the end of the scale: four, or the largest possible number if a skin has more.
int mostInfluencesShown(std::span<const LabeledSkin> skins);

// The sheet with a scale below it; unchanged for modes without a scale.
Image withLegend(Image sheet, ColorMode mode, const SheetOptions& options, int most_influences = kMaxInfluences);
// The scale alone; empty for modes without a scale.
Image legendAlone(ColorMode mode, const SheetOptions& options, int most_influences = kMaxInfluences);

} // namespace skincells::render
