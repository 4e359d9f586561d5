// Brings a mesh and a skeleton without a skin into one space and one pose.
#pragma once

#include "io/gltf/read/character.h"

namespace skincells::io {

// For a character whose mesh has no skin yet: if the joints do not lie in the mesh as the node tree poses them, looks
// for the bind pose elsewhere in the file (inverse bind matrices of an unused skin, first frames of clips) and for
// another unit or up-axis, as the options allow. A change is made only if it fits far better, and gets a warning
// ("skeleton.aligned", "skeleton.bind_pose"). "skeleton.misfit": nothing fits, and the character should not be bound.
Result<void> fitSkeleton(const GltfDocument& document, const ReadOptions& options, GltfCharacter& character);

} // namespace skincells::io
