// Meshes as PLY files.
#pragma once

#include <string>

#include "skincells/mesh.h"
#include "skincells/result.h"

namespace skincells::io {

// Positions and triangles, binary little-endian.
Result<void> writeMeshPly(const Mesh& mesh, const std::string& comment, const std::string& path, bool force);

} // namespace skincells::io
