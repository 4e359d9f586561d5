// From the joints and the space of one file to those of another.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skincells/apply.h"

namespace skincells::transfer {

// How the space of skeleton `to` lies in that of `from`, by the places of joints[i] of `from` and match[i] of `to`;
// joints without a usable bind transform do not count. Error (Mismatch) where they do not line up.
Result<Alignment> alignSkeletons(const Skeleton& from, std::span<const int> joints, const Skeleton& to,
                                 std::span<const int> match, AlignChoice choice, const std::string& where);

// Takes positions along; where the alignment is the identity, not even rounding changes them.
void moveInto(const Alignment& alignment, std::vector<Vec3f>& positions);

// Joint j of every row becomes name[j]; the rows are canonical before and after.
void renameJoints(SparseWeights& weights, std::span<const int> name);

} // namespace skincells::transfer
