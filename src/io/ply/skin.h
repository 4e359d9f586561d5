// Skinning weights among the vertex properties of a PLY file.
#pragma once

#include <string>
#include <vector>

#include "io/ply/ply_file.h"
#include "io/ply/writer.h"
#include "skincells/weights.h"

namespace skincells::io {

// Vertex properties joint_k and weight_k, k = 0, 1, ...
struct PlySkin {
  std::vector<int> joint, weight; // property by slot
};
PlySkin findPlySkin(const PlyFile& file);

// Joint names by index, from comments "skincells joint INDEX NAME"; an error where an index is missing or there twice.
Result<std::vector<std::string>> readPlyJointNames(const PlyHeader& header, const std::string& where);

// The weights of the file; an error where a weighted joint is out of range. Without names any index will do.
Result<SparseWeights> readPlyWeights(const PlyFile& file, const PlySkin& skin, std::size_t joint_count);

// The edit that replaces the file's weights by these, which must live as long as the edit.
PlyEdit plyWeightsEdit(const PlyFile& file, const SparseWeights& weights, const std::vector<std::string>& joint_names);

} // namespace skincells::io
