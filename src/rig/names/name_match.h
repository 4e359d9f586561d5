// The same joints in another skeleton.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

// For each name, the joint of the skeleton that has it, letter by letter; where several have it, the first of `names`
// gets the first of them, and so on. -1: there is none, or none left.
std::vector<int> matchNames(std::span<const std::string_view> names, const Skeleton& skeleton);
// The same for names kept as strings, and for those of a skeleton's joints.
std::vector<int> matchNames(std::span<const std::string> names, const Skeleton& skeleton);
std::vector<int> matchNames(const Skeleton& from, const Skeleton& to);

} // namespace skincells::rig
