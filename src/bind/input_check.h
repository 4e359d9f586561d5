// Rejects characters that cannot be bound, before any work is done.
#pragma once

#include "skincells/character.h"
#include "skincells/result.h"

namespace skincells::binding {

// Fails if there is no vertex or no joint, and for what no reader lets through but a character built in memory may
// contain: non-finite numbers, indices out of range, cyclic joints. Odd but finite input passes. Errors name the
// vertex, triangle or joint.
Result<void> checkCharacter(const Character& character);

} // namespace skincells::binding
