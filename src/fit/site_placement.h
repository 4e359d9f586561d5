// The start positions of a field's sites.
#pragma once

#include <span>

#include "fit/field_mirror.h"
#include "skincells/field.h"
#include "skincells/weights.h"

namespace skincells::fit {

// Moves each cell's sites from its bones into its region of influence: to the centers of groups of points, each site to
// the center of the points nearest to it. target: one row per bind-space point, over the joints of the field. Cells
// without points do not change. mirror: keeps the sites symmetric; nullptr: no symmetry.
void placeSites(FieldParameters& field, std::span<const Vec3f> points, const SparseWeights& target,
                const FieldMirror* mirror = nullptr);

} // namespace skincells::fit
