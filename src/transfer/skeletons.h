// From the joints and the space of one file to those of another.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skincells/apply.h"

namespace skincells::transfer {

// For each joint of `wanted` (indices into `from`), the joint of `to` with the same name; equal names are matched in
// order. Error (Mismatch): lists the missing joints, each with the one that may be meant. `where` names the file that
// lacks them.
Result<std::vector<int>> matchJoints(const Skeleton& from, std::span<const int> wanted, const Skeleton& to,
                                     const std::string& where);

// The similarity from the space of `to` to that of `from`, from the positions of joints[i] of `from` and match[i] of
// `to`; joints without a usable bind transform are ignored. Error (Mismatch) if the joints do not line up.
Result<Alignment> alignSkeletons(const Skeleton& from, std::span<const int> joints, const Skeleton& to,
                                 std::span<const int> match, AlignChoice choice, const std::string& where);

// Maps positions from the mesh's space to the field's. The identity changes no bit.
void moveInto(const Alignment& alignment, std::vector<Vec3f>& positions);

// Replaces joint j of every row by new_joint[j]; the rows are canonical before and after.
void renameJoints(SparseWeights& weights, std::span<const int> new_joint);

} // namespace skincells::transfer
