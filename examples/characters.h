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
Model makeBear();
Model makeFineBear(); // with four times as many triangles
Model makeLion();
Model makeDancer();

// A figure, and garments for it: each with the figure's skeleton, the skirts but the pencil skirt also with a ring of
// chains.
Model makeMannequin();
Model makePencilSkirt();
Model makeWideSkirt();
Model makeLongSkirt();
Model makePleatedSkirt();
Model makeButtonedSkirt();
Model makeDress();
Model makeCape();
Model makeCoat();

// A GLB file that cannot be repaired: NaN positions, indices out of range, and a binary chunk that ends before the
// buffer it must hold (the lengths in the headers are those of the complete file).
std::vector<std::uint8_t> brokenFile();

} // namespace skincells::examples
