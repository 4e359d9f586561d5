// Changes of a character that should not change its skin, for metamorphic tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skincells/character.h"

namespace skincells::test {

// A changed character, and where each of its original vertices is now.
struct Morphed {
  Character character;
  std::vector<std::uint32_t> vertex;
};

// Scales (1e-3 .. 1e3), places up to 1000 sizes away, turns, another order of vertices and triangles, repeated
// corners, halves as objects, the mirror image, a finer surface, loose vertices.
struct Morph {
  std::string name;
  Morphed (*apply)(const Character&);
  // What the change does to the surface; repeated and reordered vertices are nothing new.
  enum class Changes { Nothing, Rounding, Tessellation } changes;
};
const std::vector<Morph>& morphs();

// Rows by the original's vertices.
SparseWeights originalRows(const SparseWeights& weights, const Morphed& morphed);

// Two skins of one character: the largest distance of a vertex over random poses, in % of the diagonal.
double posedApart(const Character& character, const SparseWeights& a, const SparseWeights& b);

} // namespace skincells::test
