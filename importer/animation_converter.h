// Animations as glTF channels, in seconds.
#pragma once

#include <assimp/anim.h>

#include "node_tree.h"
#include "skincells/io/scene.h"

namespace skincells::importer {

// Channels keep the file's keys. If tracks move FBX pivots of a node, its whole chain is sampled at every key of any of
// them. Keys that are not finite or not in ascending order are dropped; the result may have no channels.
SceneAnimation convertAnimation(const aiAnimation& animation, const NodeTree& tree);

} // namespace skincells::importer
