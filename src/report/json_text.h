// Pieces that all JSON documents share.
#pragma once

#include <nlohmann/json.hpp>

#include "skincells/bind.h"
#include "skincells/metrics.h"
#include "skincells/options.h"
#include "skincells/result.h"

namespace skincells::report {

using Json = nlohmann::ordered_json;

// {"tool": "skincells", "version": ..., "command": command}
Json heading(const char* command);
Json toJson(const Warnings& warnings);
Json toJson(const Defect& defect);
Json toJson(const ShapeStatistics& shape);
Json toJson(const WeightStatistics& statistics);
Json optionValue(OptionKind kind, const std::string& text);

template <class T> Json optionsJson(const OptionTable<T>& table, const T& values) {
  Json out = Json::object();
  for (const auto& o : table) out[o.name] = optionValue(o.kind, o.get(values));
  return out;
}

// Indented, with a newline at the end; strings that are not UTF-8 are repaired rather than refused.
std::string print(const Json& json);

} // namespace skincells::report
