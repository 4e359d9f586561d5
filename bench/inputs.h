// Characters that benchmarks work on.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::bench {

// A character of 80 joints and a dense one from SKINCELLS_SHARED (default ../shared); without them the generated
// examples. Empty when neither is there.
std::vector<std::filesystem::path> characterFiles();

// A program in the folder of this one.
std::filesystem::path besideThis(const char* program);

// The welded mesh, every triangle turned into four until there are enough vertices.
Mesh subdivided(const Mesh& mesh, std::size_t least_vertices);

} // namespace skincells::bench
