#include "report/json_text.h"

#include <nlohmann/json.hpp>

#include "skincells/version.h"
#include "text/printable.h"

namespace skincells::report {
namespace {

Json valueOf(OptionKind kind, const std::string& text) {
  switch (kind) {
  case OptionKind::Flag:
    return text == "true";
  case OptionKind::Integer:
  case OptionKind::Real:
    if (text == "auto") return text;
    return Json::parse(text, nullptr, false);
  case OptionKind::Choice:
    if (text == "true" || text == "false") return text == "true";
    return text;
  case OptionKind::Text:
    return text;
  }
  return text;
}

} // namespace

Json heading(const char* command) {
  return {{"tool", "skincells"}, {"version", SKINCELLS_VERSION}, {"command", command}};
}

Json toJson(const Warnings& warnings) {
  Json out = Json::array();
  for (const Warning& w : warnings) out.push_back({{"code", w.code}, {"where", w.where}, {"message", w.message}});
  return out;
}

Json toJson(const Defect& d) {
  static constexpr const char* kNames[] = {"note", "warning", "error"};
  return {{"code", d.code},     {"severity", kNames[static_cast<int>(d.severity)]},
          {"where", d.where},   {"message", d.message},
          {"advice", d.advice}, {"count", d.count}};
}

Json toJson(const ShapeStatistics& s) {
  return {{"stretch_rms", s.stretch_rms},
          {"stretch_p99", s.stretch_p99},
          {"extreme_edges_percent", s.extreme_edges_percent},
          {"flipped_percent", s.flipped_percent},
          {"volume_percent", s.volume_percent},
          {"tear_percent", s.tear_percent}};
}

Json toJson(const Verdict& verdict) {
  Json findings = Json::array();
  for (const Finding& f : verdict.findings)
    findings.push_back({{"measure", f.threshold.name},
                        {"value", f.value},
                        {"good", f.threshold.good},
                        {"bad", f.threshold.bad},
                        {"grade", gradeName(f.grade)},
                        {"where", f.where}});
  return {{"grade", gradeName(verdict.grade)}, {"poses", verdict.poses}, {"findings", std::move(findings)}};
}

Json toJson(const WeightStatistics& s) {
  return {{"max_influences", s.max_influences},
          {"mean_influences", s.mean_influences},
          {"unweighted_vertices", s.unweighted_vertices}};
}

Json toJson(const std::vector<StageTime>& timings) {
  Json out = Json::object();
  for (const StageTime& t : timings) out[t.name] = t.seconds;
  return out;
}

Json optionsJson(const OptionValues& values) {
  Json out = Json::object();
  for (const auto& [info, text] : values) out[info->name] = valueOf(info->kind, text);
  return out;
}

std::string print(const Json& json) {
  return text::printableJson(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

} // namespace skincells::report
