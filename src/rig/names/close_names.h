// Names that somebody may have meant.
#pragma once

#include <string>
#include <string_view>

#include "skincells/rig.h"

namespace skincells::rig {

// Letters to insert, remove or replace to get from one name to the other, whatever their case (Levenshtein).
std::size_t editDistance(std::string_view a, std::string_view b);

// "; close to it: 'LeftArm', 'LeftHand'" for messages: up to three joints whose names differ least from `name`, letter
// by letter and whatever their case; empty when none is near.
std::string closeNames(const Skeleton& skeleton, std::string_view name);

} // namespace skincells::rig
