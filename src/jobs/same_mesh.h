// Two files that skin one mesh.
#pragma once

#include "skincells/io/character_file.h"
#include "skincells/result.h"

namespace skincells::jobs {

// An error unless both files have the same vertices in the same order.
Result<void> checkSameMesh(const CharacterFile& reference, const CharacterFile& other);

// The other file's weights over the reference's joints. Joints correspond by name; equal names in order.
Result<SparseWeights> weightsOverReference(const CharacterFile& reference, const CharacterFile& other);

} // namespace skincells::jobs
