// The pictures of a report page.
#pragma once

#include <vector>

#include "skincells/viz/character_sheet.h"
#include "skincells/viz/page.h"
#include "viz/page/pose_selection.h"

namespace skincells::page {

// The poses in the colors of materials, stretch, joints and influences, where further skins differ from the first, and
// the weights of the heaviest joints.
PageSection pictureSection(const Character& character, const Appearance& appearance,
                           const std::vector<LabeledSkin>& skins, const PoseSelection& poses,
                           const Orientation& orientation);

} // namespace skincells::page
