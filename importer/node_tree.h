// The node tree of the source as scene nodes in meters with y up. FBX pivots are joined with the nodes they belong to.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <assimp/scene.h>

#include "skincells/io/scene.h"
#include "skincells/math.h"
#include "skincells/result.h"

namespace skincells::importer {

// Assimp makes a chain of nodes of the pivots of an FBX node; they become one node of the result.
using PivotChain = std::vector<const aiNode*>; // outermost first, the node itself last

struct NodeTree {
  std::vector<SceneNode> nodes;
  std::vector<PivotChain> chains; // by node; empty for nodes that are not in the source
  std::vector<Affine> global;     // node -> world (meters, y up)

  // The node that a bone or an animation refers to by this name, or -1. If several nodes have the name: one without
  // meshes, then the first one in the file.
  int find(const std::string& name) const;
  // Adds a node, and its entry in `global`.
  int add(SceneNode node, PivotChain chain);

private:
  std::unordered_map<std::string, int> by_name_;
};

// A conversion to meters and y up is a separate node above all others, so that animation of the source's root does not
// undo it.
NodeTree buildNodeTree(const aiScene& scene, Warnings& warnings);

} // namespace skincells::importer
