// How two bind poses of one character lie to each other.
#pragma once

#include <span>
#include <string>

#include "skincells/apply.h"

namespace skincells::transfer {

// The turn, scale and shift (no mirroring) that takes `from` to `to`, point by point. Points that stand at the same
// places give exactly the identity. Turns by right angles are tried before any other, so that points on one line, or
// a single one, do not leave the turn to chance.
Alignment alignPoints(std::span<const Vec3d> from, std::span<const Vec3d> to);

// Does the alignment hold? Error (Mismatch) where the residual is too large, naming the joint that is farthest off.
Result<void> checkAlignment(const Alignment& alignment, std::span<const Vec3d> from, std::span<const Vec3d> to,
                            std::span<const std::string> names, const std::string& where);

} // namespace skincells::transfer
