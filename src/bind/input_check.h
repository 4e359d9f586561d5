// Characters that cannot be bound, told before any work is done.
#pragma once

#include "skincells/character.h"
#include "skincells/result.h"

namespace skincells::binding {

// Fails when there is no vertex or no joint, and where a reader would have refused the file but a caller that built the
// character in memory was not stopped: numbers that are not finite, indices out of range, joints in a circle. Odd but
// finite input passes. Errors name the vertex, triangle or joint.
Result<void> checkCharacter(const Character& character);

} // namespace skincells::binding
