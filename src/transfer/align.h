// The similarity between two bind poses of one character.
#pragma once

#include <span>
#include <string>

#include "skincells/apply.h"

namespace skincells::transfer {

// The rotation, scale and translation (no mirroring) that take each point of `from` to the same point of `to`. Equal
// points give exactly the identity. Rotations by right angles are tried first, so that the result is well defined for
// points on a line or a single point.
Alignment alignPoints(std::span<const Vec3d> from, std::span<const Vec3d> to);

// Error (Mismatch) if the residual is too large; names the joint with the largest distance.
Result<void> checkAlignment(const Alignment& alignment, std::span<const Vec3d> from, std::span<const Vec3d> to,
                            std::span<const std::string> names, const std::string& where);

} // namespace skincells::transfer
