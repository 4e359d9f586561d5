// The node tree of the source as scene nodes in meters with y up, FBX pivots joined into the nodes they belong to.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <assimp/scene.h>

#include "skincells/io/scene.h"
#include "skincells/math.h"
#include "skincells/result.h"

namespace skincells::importer {

// Assimp turns the pivots of an FBX node into a row of nodes above it; they are one node of the result.
using PivotChain = std::vector<const aiNode*>; // outermost first, the node itself last

struct NodeTree {
  std::vector<SceneNode> nodes;
  std::vector<PivotChain> chains; // of each node; empty for nodes that the source does not have
  std::vector<Affine> global;     // node -> world (meters, y up)

  // The node that a bone or an animation means by this name, or -1. Among nodes of one name those without meshes
  // come first, then the one nearest the top of the file.
  int find(const std::string& name) const;
  // Adds a node; `global` follows.
  int add(SceneNode node, PivotChain chain);

private:
  std::unordered_map<std::string, int> by_name_;
};

// Conversion to meters and y up, where needed, is a node of its own above all others, so that animation of the
// source's root does not undo it.
NodeTree buildNodeTree(const aiScene& scene, Warnings& warnings);

} // namespace skincells::importer
