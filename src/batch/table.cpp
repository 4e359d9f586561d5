#include <numeric>

#include "skincells/batch.h"
#include "text/table.h"

namespace skincells {
namespace {

// RFC 4180. A text that a spreadsheet would take for a formula is preceded by an apostrophe.
std::string cell(const std::string& text) {
  std::string out;
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) out = "'";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return "\"" + out + "\"";
}

} // namespace

std::string batchTable(const std::vector<BatchLine>& lines) {
  std::string out =
      "item,status,verdict,reason,worst_pose,error,message,warnings,seconds,cpu_seconds,memory_mb,bytes,input\r\n";
  for (const BatchLine& line : lines) {
    std::string warnings;
    for (const std::string& w : line.warnings) warnings += (warnings.empty() ? "" : " ") + w;
    const std::uint64_t bytes = std::accumulate(line.outputs.begin(), line.outputs.end(), std::uint64_t{0},
                                                [](std::uint64_t sum, const BatchFile& f) { return sum + f.bytes; });
    for (const std::string& text : {line.item, std::string(line.is_done ? "done" : "failed"), line.verdict, line.reason,
                                    line.worst_pose, line.error, line.message, warnings})
      out += cell(text) + ",";
    out += text::fixed(line.seconds, 3) + "," + text::fixed(line.cpu_seconds, 3) + "," +
           text::fixed(line.memory_mb, 1) + "," + std::to_string(bytes) + "," + cell(line.input) + "\r\n";
  }
  return out;
}

} // namespace skincells
