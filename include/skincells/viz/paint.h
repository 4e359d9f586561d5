// What the colors of a character mean.
#pragma once

#include <span>
#include <vector>

#include "skincells/character.h"
#include "skincells/viz/color.h"

namespace skincells {

enum class ColorMode {
  Plain,          // clay
  Material,       // the colors given per triangle
  Weights,        // the weight of one joint: sequentialColor 0 .. 1; gray: 0
  Joints,         // the joints' colors mixed by weight
  Dominant,       // the color of the joint with the largest weight
  Stretch,        // mean change of the edges at a vertex: divergingColor from half to double length
  Difference,     // distance from the same vertex of the first skin: sequentialColor to 3 % of the size; gray: none
  InfluenceCount, // joints per vertex: sequentialColor from 1 to the largest number shown; red: none
};

// Vertex colors for a mode; empty for Plain and Material. joint: for Weights; posed_positions: for Stretch;
// most_influences: end of the scale of InfluenceCount; reference_positions: for Difference.
std::vector<Rgb> vertexColors(const Character& character, const SparseWeights& weights, ColorMode mode, int joint,
                              std::span<const Vec3f> posed_positions, int most_influences = kMaxInfluences,
                              std::span<const Vec3f> reference_positions = {});

// One color per triangle: that of its material, brightened where it is nearly black.
std::vector<Rgb> materialColors(const Mesh& mesh);

} // namespace skincells
