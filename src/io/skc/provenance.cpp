#include "io/skc/provenance.h"

#include <nlohmann/json.hpp>

#include "text/json_access.h"

namespace skincells::io {

using Json = nlohmann::ordered_json;

std::string provenanceText(const FieldProvenance& provenance) {
  Json json{{"tool", provenance.tool}, {"input", provenance.input}, {"input_sha256", provenance.input_sha256}};
  json["options"] = Json::object();
  for (const auto& [name, value] : provenance.options) json["options"][name] = value;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

FieldProvenance provenanceFromText(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  FieldProvenance out;
  if (!json.is_object()) return out;
  const text::JsonPlace root(json, "");
  out.tool = root.text("tool");
  out.input = root.text("input");
  out.input_sha256 = root.text("input_sha256");
  for (const auto& [name, option] : root.at("options").members())
    if (option.value().is_string()) out.options.emplace_back(name, option.value().get<std::string>());
  return out;
}

} // namespace skincells::io
