// Characters whose mesh and skeleton fit each other.
#pragma once

#include <algorithm>

#include "skincells/io/character_file.h"

namespace skincells::jobs {

// Fails if the mesh does not fit the skeleton; the message names the options that help.
inline Result<void> requireFit(const CharacterFile& file) {
  const auto misfit = std::ranges::find(file.warnings(), "skeleton.misfit", &Warning::code);
  if (misfit == file.warnings().end()) return {};
  return Error{ErrorCode::Mismatch, misfit->message, misfit->where};
}

} // namespace skincells::jobs
