// The example characters.
#pragma once

#include <cstdint>
#include <vector>

#include "model.h"

namespace skincells::examples {

Model makeBipedTPose();
Model makeBipedAPose();
Model makeKnight();
Model makeQuadruped();
Model makeRobot();
Model makeDancer();

// A GLB file that nobody can repair: NaN positions, indices out of range, and a binary chunk that ends before the
// buffer it must hold (the lengths in the headers still promise all of it).
std::vector<std::uint8_t> brokenFile();

} // namespace skincells::examples
