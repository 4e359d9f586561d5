// What the names of joints say, whichever program wrote them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

enum class Side { None, Left, Right };

// "mixamorig:LeftHandIndex4" is {hand, index, 4} on the left; "DEF-thigh.L.001" is {def, thigh, 001} on the left.
struct JointName {
  std::vector<std::string> words; // lower case; letters and digits apart; no namespace, no side
  Side side = Side::None;

  bool has(std::string_view word) const;
  std::string_view last() const { return words.empty() ? std::string_view() : std::string_view(words.back()); }
};

// Splits one name: at anything but letters and digits, between letters and digits, and where camel case rises.
JointName splitJointName(std::string_view name);

// The names without the running numbers that some exporters add to every joint ("_012", also several in a row): a
// trailing "_<digits>" goes when nearly all names have one and nearly all of these numbers differ.
std::vector<std::string> withoutExporterNumbers(std::vector<std::string> names);

// One entry per joint: exporters' numbers stripped, then split.
std::vector<JointName> jointNames(const Skeleton& skeleton);

} // namespace skincells::rig
