// Where the sites of a field start.
#pragma once

#include <span>

#include "fit/field_mirror.h"
#include "skincells/field.h"
#include "skincells/weights.h"

namespace skincells::fit {

// Moves each cell's sites from its bones into the flesh that it should hold: to the middles of groups of points, each
// site that of the points nearest to it. target: one row per bind-space point, over the joints of the field. Cells that
// hold nothing stay where they are. mirror: keeps the sites symmetric; nullptr: there is no symmetry.
void placeSites(FieldParameters& field, std::span<const Vec3f> points, const SparseWeights& target,
                const FieldMirror* mirror = nullptr);

} // namespace skincells::fit
