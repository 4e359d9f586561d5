#include "rig/motion/range_file.h"

#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include "base/try.h"
#include "rig/names/find_joint.h"
#include "text/json_lint.h"
#include "text/text_file.h"

#include "skincells/options.h"

namespace skincells::rig {
namespace {

using Json = nlohmann::ordered_json;

Error bad(const std::string& where, std::string message) {
  return {ErrorCode::InvalidFile, std::move(message), where};
}

// The members of an entry; absent ones leave a range unchanged.
struct Entry {
  std::optional<AngleInterval> swing, twist;
  Vec3d axis; // hinge axis, unit length; zero: none
};

std::string degrees(double value) {
  return options::printReal(value);
}

Result<double> readAngle(const Json& value, double least, const std::string& where) {
  if (!value.is_number()) return bad(where, "must be a number of degrees, not " + value.dump());
  const auto angle = value.get<double>();
  if (!(angle >= least && angle <= 180))
    return bad(where, "is " + degrees(angle) + ", but must be within " + degrees(least) + " .. 180 degrees");
  return angle;
}

// [least, most], or one number n: for twist -n .. n, for swing 0 .. n.
Result<AngleInterval> readInterval(const Json& value, double least, bool either_side, const std::string& where) {
  if (!value.is_array()) {
    SKINCELLS_TRY(most, readAngle(value, 0, where));
    return AngleInterval{either_side ? -most : 0, most};
  }
  if (value.size() != 2) return bad(where, "must be one number or a list of two, [least, most], in degrees");
  SKINCELLS_TRY(lo, readAngle(value[0], least, where + "/0"));
  SKINCELLS_TRY(hi, readAngle(value[1], least, where + "/1"));
  if (lo > hi)
    return bad(where, "is reversed: " + degrees(lo) + " is more than " + degrees(hi) +
                          "; give the smaller limit first, [" + degrees(hi) + ", " + degrees(lo) + "]");
  return AngleInterval{lo, hi};
}

Result<Vec3d> readAxis(const Json& value, const std::string& where) {
  double v[3] = {};
  if (!value.is_array() || value.size() != 3) return bad(where, "must be a list of three numbers, a direction");
  for (std::size_t k = 0; k < 3; ++k) {
    if (!value[k].is_number()) return bad(where + "/" + std::to_string(k), "must be a number, not " + value[k].dump());
    v[k] = value[k].get<double>();
  }
  const Vec3d axis = normalized(Vec3d{v[0], v[1], v[2]});
  if (axis == Vec3d{} || !isFinite(axis)) return bad(where, "must be a direction, a vector of nonzero length");
  return axis;
}

Result<Entry> readEntry(const Json& json, const std::string& where) {
  if (!json.is_object()) return bad(where, "must be an object with \"swing\", \"twist\" or both, in degrees");
  for (const auto& item : json.items())
    if (item.key() != "swing" && item.key() != "twist" && item.key() != "axis")
      return bad(where + text::pointerPart(item.key()), "is not a known key; use \"swing\", \"twist\" and \"axis\"");
  Entry entry;
  if (json.contains("axis")) {
    SKINCELLS_TRY(axis, readAxis(json["axis"], where + "/axis"));
    entry.axis = axis;
    if (!json.contains("swing")) return bad(where, "has an \"axis\" but no \"swing\" about it; add one");
  }
  if (json.contains("swing")) {
    const double least = entry.axis == Vec3d{} ? 0 : -180;
    SKINCELLS_TRY(swing, readInterval(json["swing"], least, false, where + "/swing"));
    entry.swing = swing;
  }
  if (json.contains("twist")) {
    SKINCELLS_TRY(twist, readInterval(json["twist"], -180, true, where + "/twist"));
    entry.twist = twist;
  }
  if (!entry.swing && !entry.twist) return bad(where, "is empty; give \"swing\", \"twist\" or both, or remove it");
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

Result<void> applyEntries(const Skeleton& skeleton, const Json& joints, const std::string& where,
                          std::vector<JointMotion>& motions) {
  if (!joints.is_object()) return bad(where, "must be an object with an entry for each joint or pattern");
  for (const auto& item : joints.items()) {
    const std::string place = where + text::pointerPart(item.key());
    SKINCELLS_TRY(entry, readEntry(item.value(), place));
    bool matched = false;
    for (std::size_t j = 0; j < motions.size(); ++j) {
      if (!globMatches(item.key(), skeleton.joints[j].name)) continue;
      matched = true;
      applyEntry(entry, item.key(), motions[j]);
    }
    if (!matched)
      return bad(place,
                 "'" + item.key() + "' matches no joint; correct or remove it" + closeNames(skeleton, item.key()));
  }
  return {};
}

} // namespace

Result<void> applyRanges(const Skeleton& skeleton, std::string_view text, const std::string& where,
                         std::vector<JointMotion>& motions) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return bad(where, "the range file is empty; give at least {\"default\": {\"swing\": 35, \"twist\": 17.5}}");
  SKINCELLS_CHECK(text::checkJson(text, where));
  const Json json = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!json.is_object()) return bad(where + "#", "must be an object with \"default\", \"joints\" or both");
  for (const auto& item : json.items())
    if (item.key() != "default" && item.key() != "joints")
      return bad(where + "#" + text::pointerPart(item.key()), "is not a known key; use \"default\" and \"joints\"");
  if (json.empty()) return bad(where + "#", "contains no range; give \"default\", \"joints\" or both");
  if (json.contains("default")) {
    SKINCELLS_TRY(entry, readEntry(json["default"], where + "#/default"));
    for (JointMotion& motion : motions) applyEntry(entry, "default", motion);
  }
  if (json.contains("joints")) return applyEntries(skeleton, json["joints"], where + "#/joints", motions);
  return {};
}

Result<void> applyRangeFile(const Skeleton& skeleton, const std::string& path, std::vector<JointMotion>& motions) {
  SKINCELLS_TRY(text, text::readTextFile(path, {"range file", "--rom", "auto, clips, humanoid, generic"}));
  return applyRanges(skeleton, text, path, motions);
}

} // namespace skincells::rig
