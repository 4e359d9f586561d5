#include "skincells/viz/batch_page.h"

#include <map>

#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "skincells/version.h"
#include "text/base64.h"
#include "text/table.h"
#include "viz/page/batch_script.h"
#include "viz/page/html.h"
#include "viz/page/page_style.h"

namespace skincells {
namespace {

using Json = nlohmann::json;
using page::escaped;

// What the row says in one word.
std::string stateOf(const BatchLine& line) {
  if (!line.is_done) return "failed";
  return line.verdict.empty() ? "done" : line.verdict;
}

Json rowOf(const BatchLine& line) {
  Json files = Json::array();
  for (const BatchFile& file : line.outputs) files.push_back(file.name);
  const std::string why = line.is_done ? line.reason : line.error + ": " + line.message;
  return Json::array(
      {line.item, stateOf(line), why, line.warnings.size(), line.seconds, line.memory_mb, files, line.worst_pose});
}

// Inside a script element: no "<" may end it.
std::string embedded(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
    out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

// The hash by which a policy allows a script.
std::string policyHash(std::string_view script) {
  const std::string hex = sha256({reinterpret_cast<const std::uint8_t*>(script.data()), script.size()});
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return "'sha256-" + text::encodeBase64(bytes) + "'";
}

std::string tile(const std::string& key, const std::string& value) {
  return "<div class=\"tile\"><dt>" + escaped(key) + "</dt><dd>" + escaped(value) + "</dd></div>\n";
}

std::string stateButton(const std::string& state, const std::string& text, std::size_t count) {
  return "<button type=\"button\" data-state=\"" + escaped(state) + "\" aria-pressed=\"" +
         (state.empty() ? "true" : "false") + "\">" + escaped(text) + " " + text::grouped(count) + "</button>\n";
}

std::string totals(const BatchOutcome& outcome) {
  double cpu = 0, memory = 0;
  std::uint64_t bytes = 0;
  for (const BatchLine& line : outcome.lines) {
    cpu += line.cpu_seconds;
    memory = std::max(memory, line.memory_mb);
    for (const BatchFile& file : line.outputs) bytes += file.bytes;
  }
  const BatchCounts& c = outcome.counts;
  return "<dl class=\"tiles\">\n" + tile("items", text::grouped(c.items)) + tile("done", text::grouped(c.done)) +
         tile("failed", text::grouped(c.failed)) + tile("processor time", text::fixed(cpu / 3600, 2) + " h") +
         tile("items per processor hour", cpu > 0 ? text::grouped(static_cast<unsigned long long>(
                                                        static_cast<double>(outcome.lines.size()) * 3600 / cpu))
                                                  : "-") +
         tile("most memory", text::fixed(memory, 0) + " MB") +
         tile("outputs", text::fixed(static_cast<double>(bytes) / 1e6, 1) + " MB") + "</dl>\n";
}

} // namespace

std::string batchPage(const BatchOutcome& outcome) {
  Json rows = Json::array();
  std::map<std::string, std::size_t> states;
  for (const BatchLine& line : outcome.lines) {
    rows.push_back(rowOf(line));
    ++states[stateOf(line)];
  }
  for (const std::string& name : outcome.missing) {
    rows.push_back(Json::array({name, "not run", "", 0, 0.0, 0.0, Json::array(), ""}));
    ++states["not run"];
  }
  const std::string script(page::batchScript());
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                     "'unsafe-inline'; img-src 'self' file:; script-src " +
                     policyHash(script) +
                     "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<title>skincells batch</title>\n<style>" +
                     std::string(page::pageStyle()) + std::string(page::batchStyle()) + "</style>\n</head>\n<body>\n";
  std::string command;
  for (const std::string& word : outcome.job.command) command += (command.empty() ? "" : " ") + word;
  page += "<main>\n<header><h1>Batch</h1><p class=\"summary\">" + escaped("skincells " + command) + "</p></header>\n" +
          totals(outcome) +
          "<section class=\"card\"><h2>Seconds per item</h2><div id=\"histogram\" class=\"histogram\"></div>"
          "<div class=\"scale\"><span id=\"least\"></span><span id=\"most\"></span></div></section>\n"
          "<div class=\"tools\">\n<input id=\"search\" type=\"search\" placeholder=\"Search names and reasons\" "
          "aria-label=\"Search names and reasons\">\n<select id=\"order\" aria-label=\"Order\">"
          "<option value=\"verdict\">worst first</option><option value=\"name\">by name</option>"
          "<option value=\"slowest\">slowest first</option><option value=\"memory\">most memory first</option>"
          "<option value=\"warnings\">most warnings first</option></select>\n" +
          stateButton("", "all", rows.size());
  for (const auto& [state, count] : states) page += stateButton(state, state, count);
  page += "</div>\n<p id=\"shown\" class=\"shown\" aria-live=\"polite\"></p>\n"
          "<div id=\"list\" class=\"list\" role=\"list\"></div>\n"
          "<footer>skincells " SKINCELLS_VERSION "</footer>\n</main>\n<script id=\"rows\" type=\"application/json\">" +
          embedded(rows) + "</script>\n<script>" + script + "</script>\n</body>\n</html>\n";
  return page;
}

} // namespace skincells
