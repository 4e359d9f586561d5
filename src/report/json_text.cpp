#include "report/json_text.h"

#include <cmath>

#include "io/file_access.h"
#include "skincells/report.h"
#include "skincells/version.h"

namespace skincells {
namespace report {

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

Json toJson(const WeightStatistics& s) {
  return {{"max_influences", s.max_influences},
          {"mean_influences", s.mean_influences},
          {"unweighted_vertices", s.unweighted_vertices}};
}

Json optionValue(OptionKind kind, const std::string& text) {
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

std::string print(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace report

std::string errorJson(const Error& error) {
  report::Json json = report::heading("error");
  json["error"] = {{"code", errorName(error.code)}, {"where", error.where}, {"message", error.message}};
  return report::print(json);
}

Result<void> checkReportPath(const std::string& path) {
  return path.empty() ? Result<void>{} : io::checkWritable(path);
}

Result<void> writeReport(const std::string& path, const std::string& contents) {
  return writeOutput(path, contents, true);
}

Result<void> writeOutput(const std::string& path, const std::string& contents, bool force) {
  const io::OutputFile file{path, {contents.begin(), contents.end()}};
  return io::writeFiles({&file, 1}, force);
}

} // namespace skincells
