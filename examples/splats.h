// A cloud of 3D Gaussian splats on the surface of a character, like a capture of it.
#pragma once

#include <cstddef>
#include <filesystem>

#include "model.h"

namespace skincells::examples {

// Writes `count` splats as binary PLY: 62 floats each, with harmonics of degree 3. They lie flat on the surfaces of
// level 0, evenly spread, in the colors of the materials, with a sheen that depends on the direction.
bool writeSplats(const Model& model, std::size_t count, const std::filesystem::path& path);

} // namespace skincells::examples
