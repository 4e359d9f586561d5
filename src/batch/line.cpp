#include "batch/line.h"

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

namespace skincells::batch {
namespace {

using Json = nlohmann::ordered_json;

// For people and programs: no more digits than mean something.
double rounded(double value, double per_one) {
  return std::round(value * per_one) / per_one;
}

} // namespace

std::string textOf(const BatchLine& line) {
  Json outputs = Json::array();
  for (const BatchFile& f : line.outputs)
    outputs.push_back({{"name", f.name}, {"bytes", f.bytes}, {"sha256", f.sha256}});
  Json json{{"item", line.item},
            {"status", line.is_done ? "done" : "failed"},
            {"verdict", line.verdict},
            {"reason", line.reason},
            {"worst_pose", line.worst_pose},
            {"error", line.error},
            {"message", line.message},
            {"warnings", line.warnings},
            {"seconds", rounded(line.seconds, 1000)},
            {"cpu_seconds", rounded(line.cpu_seconds, 1000)},
            {"memory_mb", rounded(line.memory_mb, 10)},
            {"finished", rounded(line.finished, 1000)},
            {"input", line.input},
            {"input_sha256", line.input_sha256},
            {"options_sha256", line.options_sha256},
            {"version", line.version},
            {"outputs", std::move(outputs)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<BatchLine> parseLine(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return {};
  try {
    BatchLine line;
    const std::string status = json.at("status");
    if (status != "done" && status != "failed") return {};
    line.is_done = status == "done";
    json.at("item").get_to(line.item);
    json.at("verdict").get_to(line.verdict);
    json.at("reason").get_to(line.reason);
    line.worst_pose = json.value("worst_pose", ""); // which older lines lack
    json.at("error").get_to(line.error);
    json.at("message").get_to(line.message);
    json.at("warnings").get_to(line.warnings);
    json.at("seconds").get_to(line.seconds);
    json.at("cpu_seconds").get_to(line.cpu_seconds);
    json.at("memory_mb").get_to(line.memory_mb);
    json.at("finished").get_to(line.finished);
    json.at("input").get_to(line.input);
    json.at("input_sha256").get_to(line.input_sha256);
    json.at("options_sha256").get_to(line.options_sha256);
    json.at("version").get_to(line.version);
    for (const Json& f : json.at("outputs")) line.outputs.push_back({f.at("name"), f.at("bytes"), f.at("sha256")});
    return line;
  } catch (const Json::exception&) {
    return {};
  }
}

void readLines(const std::string& path, LinesByItem& lines) {
  std::ifstream in(path, std::ios::binary);
  for (std::string text; std::getline(in, text);) {
    auto line = parseLine(text);
    if (!line) continue;
    BatchLine& known = lines[line->item];
    if (known.item.empty() || known.finished <= line->finished) known = *std::move(line);
  }
}

} // namespace skincells::batch
