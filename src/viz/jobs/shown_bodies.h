// The bodies that garments are worn on, for the viewer.
#pragma once

#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/jobs/wear.h"
#include "skincells/viz/viewer_page.h"

namespace skincells::jobs {

// The files of --body that have weights; the others cannot move.
Result<std::vector<CharacterFile>> readShownBodies(const WearOptions& wear);

// Bodies first, then the garments, in one place unless the options say otherwise.
Result<std::string> dressedPage(const std::vector<CharacterFile>& bodies, std::vector<ViewCharacter> garments,
                                ViewOptions options);

} // namespace skincells::jobs
