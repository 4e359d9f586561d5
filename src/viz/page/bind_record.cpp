#include "viz/page/bind_record.h"

#include <nlohmann/json.hpp>

#include "base/read_file.h"
#include "base/try.h"

namespace skincells::page {
namespace {

using Json = nlohmann::ordered_json;

// Members of a document that may have been edited: missing members and members of another type count as empty.
const Json& member(const Json& json, const char* key) {
  static const Json kNone;
  return json.is_object() && json.contains(key) ? json[key] : kNone;
}
std::string textIn(const Json& json, const char* key) {
  const Json& value = member(json, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}
double numberIn(const Json& json) {
  return json.is_number() ? json.get<double>() : 0;
}

std::string asTyped(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

AngleInterval intervalIn(const Json& json) {
  if (!json.is_array() || json.size() != 2) return {};
  return {numberIn(json[0]), numberIn(json[1])};
}

JointMotion motionIn(const Json& range, int joint) {
  JointMotion out{joint, textIn(range, "source"), textIn(range, "detail"), {}};
  out.range.swing = intervalIn(member(range, "swing_degrees"));
  out.range.twist = intervalIn(member(range, "twist_degrees"));
  const Json& axis = member(range, "axis");
  if (axis.is_array() && axis.size() == 3) out.range.axis = {numberIn(axis[0]), numberIn(axis[1]), numberIn(axis[2])};
  return out;
}

LossCurve curveIn(const std::string& name, const Json& json) {
  LossCurve out;
  out.name = name;
  out.stop_reason = textIn(json, "stop_reason");
  for (const Json& value : member(json, "loss"))
    if (value.is_number()) out.values.push_back(value.get<double>());
  for (const Json& held_out : member(json, "held_out"))
    out.held_out.push_back({static_cast<int>(numberIn(member(held_out, "step"))), numberIn(member(held_out, "loss"))});
  return out;
}

// Every joint by its name; the motions only where all have one.
Result<void> readJoints(const Json& list, const Skeleton& skeleton, const std::string& path, BindRecord& out) {
  std::vector<bool> seen(skeleton.joints.size());
  out.joints.resize(skeleton.joints.size());
  out.motions.resize(skeleton.joints.size());
  bool moves = true;
  for (const Json& entry : list) {
    const int joint = skeleton.find(textIn(entry, "name"));
    if (joint < 0)
      return Error{ErrorCode::Mismatch,
                   "has a joint '" + textIn(entry, "name") +
                       "' that the character does not have; use the report of this character",
                   path};
    const Json& deforms = member(entry, "deforms");
    out.joints[joint] = {joint, !deforms.is_boolean() || deforms.get<bool>(), textIn(entry, "rule"),
                         textIn(entry, "reason")};
    moves = moves && member(entry, "range").is_object();
    if (moves) out.motions[joint] = motionIn(entry["range"], joint);
    seen[joint] = true;
  }
  for (std::size_t j = 0; j < seen.size(); ++j)
    if (!seen[j])
      return Error{ErrorCode::Mismatch,
                   "has no entry for the joint '" + skeleton.joints[j].name + "'; use the report of this character",
                   path};
  if (!moves) out.motions.clear();
  return {};
}

} // namespace

BindRecord recordOf(const BindOutcome& outcome) {
  const BindReport& report = outcome.result.report;
  BindRecord out;
  for (const auto& o : bindOptionTable()) out.options.emplace_back(o.name, o.get(outcome.job.bind));
  for (const auto& o : writeOptionTable()) out.options.emplace_back(o.name, o.get(outcome.job.write));
  out.timings = report.timings;
  out.curves = report.curves;
  out.poses = report.poses;
  out.joints = report.joints;
  out.motions = report.motions;
  out.warnings = outcome.input.warnings();
  out.warnings.insert(out.warnings.end(), report.warnings.begin(), report.warnings.end());
  return out;
}

Result<BindRecord> readBindRecord(const std::string& path, const Skeleton& skeleton) {
  SKINCELLS_TRY(bytes, readFile(path));
  const Json json = Json::parse(bytes.begin(), bytes.end(), nullptr, false);
  if (textIn(json, "tool") != "skincells" || textIn(json, "command") != "bind")
    return Error{ErrorCode::InvalidFile, "is not a report that 'skincells bind --json-file FILE' wrote", path};
  BindRecord out;
  SKINCELLS_CHECK(readJoints(member(json, "joints"), skeleton, path, out));
  for (const auto& [name, value] : member(json, "options").items()) out.options.emplace_back(name, asTyped(value));
  for (const auto& [name, value] : member(json, "timings_seconds").items())
    out.timings.push_back({name, numberIn(value)});
  for (const auto& [name, value] : member(json, "loss_curves").items()) out.curves.push_back(curveIn(name, value));
  out.poses = textIn(json, "poses");
  for (const Json& w : member(json, "warnings"))
    out.warnings.push_back({textIn(w, "code"), textIn(w, "message"), textIn(w, "where")});
  return out;
}

} // namespace skincells::page
