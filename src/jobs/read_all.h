// Reading several skins of one mesh.
#pragma once

#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/result.h"

namespace skincells::jobs {

// Reads `first`, then the others in order; fails at the first file that cannot be read.
Result<std::vector<CharacterFile>> readAll(const std::string& first, const std::vector<std::string>& others,
                                           const ReadOptions& options = {});

// Pointers to all files but the first.
std::vector<const CharacterFile*> othersOf(const std::vector<CharacterFile>& files);

} // namespace skincells::jobs
