// Pieces that all JSON documents share. Sources that use a Json include <nlohmann/json.hpp>.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "skincells/metrics.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/result.h"
#include "skincells/verdict.h"

namespace skincells::report {

using Json = nlohmann::ordered_json;

// {"tool": "skincells", "version": ..., "command": command}
Json heading(const char* command);
Json toJson(const Warnings& warnings);
Json toJson(const Defect& defect);
Json toJson(const ShapeStatistics& shape);
Json toJson(const Verdict& verdict);
Json toJson(const WeightStatistics& statistics);
// Seconds by stage.
Json toJson(const std::vector<StageTime>& timings);

// Values of options as JSON, by name. The infos must outlive the list.
using OptionValues = std::vector<std::pair<const OptionInfo*, std::string>>;
Json optionsJson(const OptionValues& values);

template <class T> OptionValues valuesOf(const OptionTable<T>& table, const T& values) {
  OptionValues out;
  for (const auto& option : table) out.emplace_back(&option, option.get(values));
  return out;
}

// Indented, with a newline at the end; strings that are not UTF-8 are repaired.
std::string print(const Json& json);

} // namespace skincells::report
