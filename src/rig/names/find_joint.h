// Finding joints by name: exactly, or the ones that a misspelled name may mean.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

// For each name the joint of the skeleton with exactly this name. If several joints share it, the first occurrence in
// `names` gets the first joint, and so on. -1: no such joint, or all of them are taken.
std::vector<int> matchNames(std::span<const std::string_view> names, const Skeleton& skeleton);
std::vector<int> matchNames(std::span<const std::string> names, const Skeleton& skeleton);
// The same for the names of a skeleton's joints.
std::vector<int> matchNames(const Skeleton& from, const Skeleton& to);

// The joint that a name most likely means: the same words in another spelling, or a few letters off. -1: none.
// Never returns a joint of the other side of the body.
int nearestName(const std::string& name, const Skeleton& skeleton);

// "; close to it: 'LeftArm', 'LeftHand'" for messages: up to three joints with the smallest edit distance to `name`,
// ignoring case; empty if none is close.
std::string closeNames(const Skeleton& skeleton, std::string_view name);

} // namespace skincells::rig
