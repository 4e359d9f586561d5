// Facts that a document lists twice, as lines of text and as JSON, described once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/json_text.h"
#include "skincells/report.h"

namespace skincells::report {

struct Fact {
  std::string key; // in JSON; empty: not there
  Json value;
  std::string text = {}; // for people, with its unit; empty: only in JSON
};

class Facts {
public:
  // title: first line of the text.
  Facts(const char* command, const std::string& title);

  // Adds the values to the JSON object with this name, and "  label  text, text" to the text if there is any.
  void add(const char* object, std::string_view label, const std::vector<Fact>& facts);
  // Lines with line ends. Names in them must be printable.
  void addText(std::string_view text) { text_ += text; }
  // "no problems found", or the list of them.
  void addProblems(const std::vector<std::string>& problems);

  Json& json() { return json_; }
  Document document() const { return {text_, print(json_)}; }

private:
  Json json_;
  std::string text_;
};

// "1.2 x 0.4 x 1.8 in bind space"
Fact sizeFact(const Vec3d& size);

} // namespace skincells::report
