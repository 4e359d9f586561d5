// Which files have the same skeleton, without reading their meshes.
#pragma once

#include <string>

namespace skincells::io {

// Equal for glTF files whose joints have the same names, parents and places. Empty if the file is none, has no joints
// or cannot be read.
std::string skeletonKey(const std::string& path);

} // namespace skincells::io
