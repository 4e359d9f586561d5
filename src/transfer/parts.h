// Parts of a mesh with separate weights, and how to recognize them in another mesh.
#pragma once

#include <span>
#include <vector>

#include "skincells/field_document.h"
#include "skincells/mesh.h"

namespace skincells::transfer {

// The places of the connected parts of a welded mesh; rows are empty.
std::vector<FieldPart> placesOfParts(std::span<const Vec3f> positions, const Islands& islands);

// The entry of `parts` in the same place as `place`, or -1: box and center differ by at most a fixed share of the
// entry's size. Of several the nearest, then the one with the most similar number of vertices, then the first.
int findPart(const FieldPart& place, std::span<const FieldPart> parts);

} // namespace skincells::transfer
