// Parts of a mesh that were given weights of their own, and how to find them again in another mesh.
#pragma once

#include <span>
#include <vector>

#include "skincells/field_document.h"
#include "skincells/mesh.h"

namespace skincells::transfer {

// Where the connected parts of a welded mesh are; rows are empty.
std::vector<FieldPart> placesOfParts(std::span<const Vec3f> positions, const Islands& islands);

// The entry of `parts` that `place` is the same part as, or -1: its box and its middle differ by no more than a share
// of the entry's own size. Of several the nearest, then the one with the nearest count of vertices, then the first.
int findPart(const FieldPart& place, std::span<const FieldPart> parts);

} // namespace skincells::transfer
