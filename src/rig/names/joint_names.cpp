#include "rig/names/joint_names.h"

#include <algorithm>
#include <set>

namespace skincells::rig {
namespace {

// ASCII only and independent of the locale; other bytes (UTF-8) count as letters without case.
bool isUpper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isWordByte(char c) {
  return isUpper(c) || isDigit(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}
char lower(char c) {
  return isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

// Whether a new word begins at i > 0. Bytes i - 1 and i are word bytes.
bool wordBreak(std::string_view s, std::size_t i) {
  const char before = s[i - 1], here = s[i];
  if (isDigit(before) != isDigit(here)) return true;
  if (!isUpper(here)) return false;
  if (!isUpper(before)) return true; // lowerUpper
  // The last capital of a run belongs to the next word: IK|Leg.
  return i + 1 < s.size() && isWordByte(s[i + 1]) && !isUpper(s[i + 1]) && !isDigit(s[i + 1]);
}

std::string_view withoutNamespace(std::string_view name) {
  const std::size_t cut = name.find_last_of(":|");
  return cut == std::string_view::npos || cut + 1 == name.size() ? name : name.substr(cut + 1);
}

std::vector<std::string> splitWords(std::string_view name) {
  std::vector<std::string> words;
  bool open = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!isWordByte(name[i])) {
      open = false;
      continue;
    }
    if (!open || wordBreak(name, i)) words.emplace_back();
    words.back() += lower(name[i]);
    open = true;
  }
  return words;
}

Side sideOf(std::string_view word) {
  if (word == "l" || word == "left") return Side::Left;
  if (word == "r" || word == "right") return Side::Right;
  return Side::None;
}

// The digits of a trailing "_<digits>"; empty if there is none.
std::string_view trailingNumber(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && isDigit(name[begin - 1])) --begin;
  if (begin == name.size() || begin < 2 || name[begin - 1] != '_') return {};
  return name.substr(begin);
}

bool nearlyAll(std::size_t part, std::size_t whole) {
  return part * 10 >= whole * 9;
}

} // namespace

bool JointName::has(std::string_view word) const {
  return std::find(words.begin(), words.end(), word) != words.end();
}

JointName splitJointName(std::string_view name) {
  JointName result;
  for (std::string& word : splitWords(withoutNamespace(name))) {
    const Side side = sideOf(word);
    if (side == Side::None)
      result.words.push_back(std::move(word));
    else if (result.side == Side::None)
      result.side = side;
  }
  // Some exporters remove the colon of "mixamorig:" but not the namespace.
  if (result.words.size() > 1 && result.words[0] == "mixamorig") {
    const bool numbered = result.words.size() > 2 && isDigit(result.words[1][0]);
    result.words.erase(result.words.begin(), result.words.begin() + (numbered ? 2 : 1));
  }
  return result;
}

std::vector<std::string> withoutExporterNumbers(std::vector<std::string> names) {
  constexpr std::size_t kFewestNames = 4; // fewer show no pattern
  while (names.size() >= kFewestNames) {
    std::set<std::string_view> numbers;
    std::size_t numbered = 0;
    for (const std::string& name : names) {
      const std::string_view number = trailingNumber(name);
      numbered += !number.empty();
      if (!number.empty()) numbers.insert(number);
    }
    if (!nearlyAll(numbered, names.size()) || !nearlyAll(numbers.size(), numbered)) break;
    for (std::string& name : names) {
      const std::string number(trailingNumber(name));
      if (number.empty()) continue;
      name.resize(name.size() - number.size() - 1);
      if (name.ends_with("." + number)) name.resize(name.size() - number.size() - 1); // the same number twice: ".7_7"
    }
  }
  return names;
}

std::vector<JointName> jointNames(const Skeleton& skeleton) {
  std::vector<std::string> names;
  names.reserve(skeleton.joints.size());
  for (const Joint& joint : skeleton.joints) names.push_back(joint.name);
  std::vector<JointName> result;
  for (const std::string& name : withoutExporterNumbers(std::move(names))) result.push_back(splitJointName(name));
  return result;
}

} // namespace skincells::rig
