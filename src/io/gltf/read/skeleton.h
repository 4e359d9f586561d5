// Joints, bind transforms and bind spaces of a document.
#pragma once

#include "io/gltf/read/character.h"

namespace skincells::io {

// The joints whose bind matrices tell about bind space. Exporters give all joints that carry no weight (controls, ends)
// one matrix; joints with the matrix of another count only if there are no others.
std::vector<std::size_t> tellingJoints(const Skeleton& skeleton);

// Fills character.skeleton, node_of_joint, bindings and instances.
//
// The bind pose is the one of the inverse bind matrices, which often differs from the rest pose of the node tree. Skins
// of one character may have different mesh spaces; all are brought into the space of the first skin, through joints
// that they share or else through the node tree.
Result<void> readSkeleton(const GltfDocument& document, const ReadOptions& options, GltfCharacter& out);

} // namespace skincells::io
