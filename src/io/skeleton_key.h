// Which files have the same skeleton, and how alike their meshes are.
#pragma once

#include <string>
#include <vector>

namespace skincells::io {

struct SkeletonKey {
  // Equal for glTF files whose joints have the same names, parents and places. Empty if the file is none, has no joints
  // or mesh, or cannot be read.
  std::string key;
  // By joint: the mean distance of the vertices that are nearest to it, relative to the size of the skeleton.
  std::vector<float> girths;
};

SkeletonKey skeletonKey(const std::string& path);

} // namespace skincells::io
