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

// Joint names by index, from comments "skincells joint INDEX NAME". Fails if an index is missing or duplicate.
Result<std::vector<std::string>> readPlyJointNames(const PlyHeader& header, const std::string& where);

// The weights of the file, canonical. Fails if a joint with weight is out of range; without names (joint_count 0) any
// index is valid.
Result<SparseWeights> readPlyWeights(const PlyFile& file, const PlySkin& skin, std::size_t joint_count);

// The edit that replaces the file's weights by these, which must outlive the edit.
PlyEdit plyWeightsEdit(const PlyFile& file, const SparseWeights& weights, const std::vector<std::string>& joint_names);

} // namespace skincells::io
