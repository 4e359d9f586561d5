#include "rig/motion/range_file.h"

#include <optional>

#include <nlohmann/json.hpp>

#include "base/try.h"
#include "rig/names/find_joint.h"
#include "text/glob.h"
#include "text/json_access.h"
#include "text/json_lint.h"
#include "text/text_file.h"

#include "skincells/options.h"

namespace skincells::rig {
namespace {

using text::JsonPlace;

// The members of an entry; absent ones leave a range unchanged.
struct Entry {
  std::optional<AngleInterval> swing, twist;
  Vec3d axis; // of a hinge, unit length; zero: none
};

std::string degrees(double value) {
  return options::printReal(value);
}

Result<double> readAngle(const JsonPlace& place, double least) {
  if (!place.value().is_number()) return place.error("must be a number of degrees, not " + place.value().dump());
  const auto angle = place.value().get<double>();
  if (!(angle >= least && angle <= 180))
    return place.error("is " + degrees(angle) + ", but must be within " + degrees(least) + " .. 180 degrees");
  return angle;
}

// [least, most], or one number n: for twist -n .. n, for swing 0 .. n.
Result<AngleInterval> readInterval(const JsonPlace& place, double least, bool either_side) {
  if (!place.value().is_array()) {
    SKINCELLS_TRY(most, readAngle(place, 0));
    return AngleInterval{either_side ? -most : 0, most};
  }
  if (place.size() != 2) return place.error("must be one number or a list of two, [least, most], in degrees");
  SKINCELLS_TRY(lo, readAngle(place.at(std::size_t{0}), least));
  SKINCELLS_TRY(hi, readAngle(place.at(1), least));
  if (lo > hi)
    return place.error("is reversed: " + degrees(lo) + " is more than " + degrees(hi) +
                       "; give the smaller limit first, [" + degrees(hi) + ", " + degrees(lo) + "]");
  return AngleInterval{lo, hi};
}

Result<Vec3d> readAxis(const JsonPlace& place) {
  double v[3] = {};
  if (place.size() != 3) return place.error("must be a list of three numbers, a direction");
  for (std::size_t k = 0; k < 3; ++k) {
    const JsonPlace number = place.at(k);
    if (!number.value().is_number()) return number.error("must be a number, not " + number.value().dump());
    v[k] = number.value().get<double>();
  }
  const Vec3d axis = normalized(Vec3d{v[0], v[1], v[2]});
  if (axis == Vec3d{} || !isFinite(axis)) return place.error("must be a direction, a vector of nonzero length");
  return axis;
}

Result<Entry> readEntry(const JsonPlace& place) {
  if (!place.value().is_object()) return place.error("must be an object with \"swing\", \"twist\" or both, in degrees");
  for (const auto& [key, member] : place.members())
    if (key != "swing" && key != "twist" && key != "axis")
      return member.error("is not a known key; use \"swing\", \"twist\" and \"axis\"");
  Entry entry;
  if (place.has("axis")) {
    SKINCELLS_TRY(axis, readAxis(place.at("axis")));
    entry.axis = axis;
    if (!place.has("swing")) return place.error("has an \"axis\" but no \"swing\" about it; add one");
  }
  if (place.has("swing")) {
    const double least = entry.axis == Vec3d{} ? 0 : -180;
    SKINCELLS_TRY(swing, readInterval(place.at("swing"), least, false));
    entry.swing = swing;
  }
  if (place.has("twist")) {
    SKINCELLS_TRY(twist, readInterval(place.at("twist"), -180, true));
    entry.twist = twist;
  }
  if (!entry.swing && !entry.twist) return place.error("is empty; give \"swing\", \"twist\" or both, or remove it");
  return entry;
}

void applyEntry(const Entry& entry, const std::string& name, JointMotion& motion) {
  if (entry.swing) {
    motion.range.swing = *entry.swing;
    motion.range.axis = entry.axis;
  }
  if (entry.twist) motion.range.twist = *entry.twist;
  motion.source = "rom-file";
  motion.detail = name;
}

Result<void> applyEntries(const Skeleton& skeleton, const JsonPlace& joints, std::vector<JointMotion>& motions) {
  if (!joints.value().is_object()) return joints.error("must be an object with an entry for each joint or pattern");
  for (const auto& [pattern, place] : joints.members()) {
    SKINCELLS_TRY(entry, readEntry(place));
    bool matched = false;
    for (std::size_t j = 0; j < motions.size(); ++j) {
      if (!text::globMatches(pattern, skeleton.joints[j].name)) continue;
      matched = true;
      applyEntry(entry, pattern, motions[j]);
    }
    if (!matched)
      return place.error("'" + pattern + "' matches no joint; correct or remove it" + closeNames(skeleton, pattern));
  }
  return {};
}

// The ranges that another bind used, from its report.
Result<void> applyReport(const Skeleton& skeleton, const JsonPlace& joints, std::vector<JointMotion>& motions) {
  if (joints.size() != motions.size())
    return joints.error("has " + std::to_string(joints.size()) + " joints, and this character " +
                        std::to_string(motions.size()) + "; use the report of a character with the same skeleton");
  for (std::size_t j = 0; j < motions.size(); ++j) {
    const JsonPlace joint = joints.at(j), range = joint.at("range");
    const std::string& name = skeleton.joints[j].name;
    if (joint.text("name") != name)
      return joint.error("is not '" + name + "'; use the report of a character with the same skeleton");
    if (!range.value().is_object()) return joint.error("has no range; use the report of a bind with skin cells");
    Entry entry;
    if (range.has("axis")) {
      SKINCELLS_TRY(axis, readAxis(range.at("axis")));
      entry.axis = axis;
    }
    SKINCELLS_TRY(swing, readInterval(range.at("swing_degrees"), entry.axis == Vec3d{} ? 0 : -180, false));
    SKINCELLS_TRY(twist, readInterval(range.at("twist_degrees"), -180, true));
    entry.swing = swing;
    entry.twist = twist;
    applyEntry(entry, name, motions[j]);
  }
  return {};
}

} // namespace

Result<void> applyRanges(const Skeleton& skeleton, std::string_view text, const std::string& where,
                         std::vector<JointMotion>& motions) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return Error{ErrorCode::InvalidFile,
                 "the range file is empty; give at least {\"default\": {\"swing\": 35, \"twist\": 17.5}}", where};
  SKINCELLS_CHECK(text::checkJson(text, where));
  const auto json = nlohmann::ordered_json::parse(text.begin(), text.end(), nullptr, false);
  const JsonPlace root(json, where + "#");
  if (!json.is_object()) return root.error("must be an object with \"default\", \"joints\" or both");
  if (root.has("command")) return applyReport(skeleton, root.at("joints"), motions);
  for (const auto& [key, member] : root.members())
    if (key != "default" && key != "joints") return member.error("is not a known key; use \"default\" and \"joints\"");
  if (json.empty()) return root.error("contains no range; give \"default\", \"joints\" or both");
  if (root.has("default")) {
    SKINCELLS_TRY(entry, readEntry(root.at("default")));
    for (JointMotion& motion : motions) applyEntry(entry, "default", motion);
  }
  if (root.has("joints")) return applyEntries(skeleton, root.at("joints"), motions);
  return {};
}

Result<void> applyRangeFile(const Skeleton& skeleton, const std::string& path, std::vector<JointMotion>& motions) {
  SKINCELLS_TRY(text, text::readTextFile(path, {"range file", "--rom", "auto, clips, humanoid, generic"}));
  return applyRanges(skeleton, text, path, motions);
}

} // namespace skincells::rig
