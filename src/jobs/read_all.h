// Reading several skins of one mesh.
#pragma once

#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/result.h"

namespace skincells::jobs {

// Reads `first`, then the others in order; fails at the first file that cannot be read. The files that they refer to
// are added to the inputs of the run.
Result<std::vector<CharacterFile>> readAll(const std::string& first, const std::vector<std::string>& others,
                                           OutputSet& outputs, const ReadOptions& options = {});

// The same for skins of one mesh: nodes of the first file that carry weight in another one are joints of the first,
// too, though its skin does not list them.
Result<std::vector<CharacterFile>> readSkins(const std::string& first, const std::vector<std::string>& others,
                                             OutputSet& outputs);

// Pointers to all files but the first.
std::vector<const CharacterFile*> othersOf(const std::vector<CharacterFile>& files);

} // namespace skincells::jobs
