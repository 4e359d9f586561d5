// Lines of batch.jsonl as text.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "skincells/batch.h"

namespace skincells::batch {

// With a line end.
std::string textOf(const BatchLine& line);
// Nothing if the text is not a whole line, e.g. because its writer was killed.
std::optional<BatchLine> parseLine(std::string_view text);

// The newest line of each item. Lines that are damaged are ignored: their items have no result.
using LinesByItem = std::map<std::string, BatchLine, std::less<>>;
void readLines(const std::string& path, LinesByItem& lines);

} // namespace skincells::batch
