// The characters of a file: separate skeletons bind separate meshes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "skincells/character.h"

namespace skincells::binding {

inline constexpr int kAllSkeletons = -1;

// The vertices that `accept` accepts, in their order, with the triangles, sections and weights that they have;
// triangles that lost a corner are dropped. The skeleton is the same. vertex_of: by vertex of the result, the vertex of
// `character`.
Character partOf(const Character& character, const std::function<bool(std::uint32_t)>& accept,
                 std::vector<std::uint32_t>& vertex_of);

// The skeletons that sections of the mesh name, ascending; {kAllSkeletons} if they do not differ.
std::vector<int> skeletonsOf(const Mesh& mesh);

// The vertices of the sections that name this skeleton.
std::vector<bool> verticesOf(const Mesh& mesh, int skeleton);

} // namespace skincells::binding
