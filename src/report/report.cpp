#include "skincells/report.h"

#include <nlohmann/json.hpp>

#include "report/json_text.h"
#include "text/printable.h"

namespace skincells {

std::string errorJson(const Error& error) {
  report::Json json = report::heading("error");
  json["error"] = {{"code", errorName(error.code)}, {"where", error.where}, {"message", error.message}};
  return report::print(json);
}

std::string errorText(const Error& error) {
  return text::printable(error.text());
}

std::string printableName(std::string_view name) {
  return text::printable(name);
}

} // namespace skincells
