// Two files that skin one mesh.
#pragma once

#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/result.h"

namespace skincells::jobs {

// Fails unless both files have the same vertices in the same order.
Result<void> checkSameMesh(const CharacterFile& reference, const CharacterFile& other);

// The other file's weights over the reference's joints. Joints correspond by name; equal names in order.
Result<SparseWeights> weightsOverReference(const CharacterFile& reference, const CharacterFile& other);

// The weights of `first` and of the others, all over the joints of `first`. Fails unless all have the same mesh.
Result<std::vector<SparseWeights>> weightsOfAll(const CharacterFile& first,
                                                const std::vector<const CharacterFile*>& others);

} // namespace skincells::jobs
