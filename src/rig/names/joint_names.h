// Joint names split into words, for any naming convention.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

enum class Side { None, Left, Right };

// "mixamorig:LeftHandIndex4" is {hand, index, 4} on the left; "DEF-thigh.L.001" is {def, thigh, 001} on the left.
struct JointName {
  std::vector<std::string> words; // lower case; letters and digits separate; without namespace and side
  Side side = Side::None;

  bool has(std::string_view word) const;
  std::string_view last() const { return words.empty() ? std::string_view() : std::string_view(words.back()); }
};

// Splits one name: at anything but letters and digits, between letters and digits, and at camel-case humps.
JointName splitJointName(std::string_view name);

// The names without the running numbers that some exporters add to every joint ("_012", also several in a row): removes
// a trailing "_<digits>" if nearly all names have one and nearly all of these numbers differ.
std::vector<std::string> withoutExporterNumbers(std::vector<std::string> names);

// One entry per joint: the name without exporter numbers, split.
std::vector<JointName> jointNames(const Skeleton& skeleton);

} // namespace skincells::rig
