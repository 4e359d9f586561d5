// Characters made dirty in ways that should not change the answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skincells/character.h"

namespace skincells::studies {

struct Dirt {
  std::string name;
  // Makes the character dirty. Returns, for each of its vertices before, a vertex afterwards that is the same point.
  std::vector<std::uint32_t> (*apply)(Character& character);
};

// Strays, scenery, noise, duplicates, other orders, units and places, broken triangles.
const std::vector<Dirt>& dirts();

// Makes one section of a mesh whose vertices and triangles no longer follow the sections; drops its weights.
void mergeSections(Character& character);

// One after the other, with the same vertices as in Dirt::apply.
std::vector<std::uint32_t> applyBoth(const Dirt& first, const Dirt& second, Character& character);

} // namespace skincells::studies
