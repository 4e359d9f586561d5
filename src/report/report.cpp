#include "skincells/report.h"

#include <nlohmann/json.hpp>

#include "io/file_access.h"
#include "report/json_text.h"

namespace skincells {

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
