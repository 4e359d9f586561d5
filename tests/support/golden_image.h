// Pictures against stored ones.
#pragma once

#include <filesystem>
#include <string>

#include "skincells/viz/render.h"

namespace skincells::test {

// Where a golden picture is stored, and where what was drawn instead is kept to look at.
struct GoldenFolders {
  std::filesystem::path golden, artifacts;
};

// Compares with golden/NAME.png, with a tolerance for other compilers' arithmetic. Keeps the picture, and beside it
// NAME_difference.png where a pixel differs, in the folder of artifacts. With SKINCELLS_UPDATE_GOLDEN=1 in the
// environment the stored picture is replaced: look at it before committing.
void expectGoldenImage(const Image& image, const std::string& name, const GoldenFolders& folders);

} // namespace skincells::test
