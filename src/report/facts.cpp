#include "report/facts.h"

#include <algorithm>

#include "text/printable.h"
#include "text/table.h"

namespace skincells::report {

Facts::Facts(const char* command, const std::string& title)
    : json_(heading(command)), text_(text::printable(title) + "\n") {}

void Facts::add(const char* object, std::string_view label, const std::vector<Fact>& facts) {
  constexpr std::size_t kLabelWidth = 12;
  std::string line;
  for (const Fact& fact : facts) {
    if (!fact.key.empty()) json_[object][fact.key] = fact.value;
    if (!fact.text.empty()) line += (line.empty() ? "" : ", ") + text::printable(fact.text);
  }
  if (line.empty()) return;
  text_.append("  ").append(label).append(std::max(kLabelWidth, label.size() + 1) - label.size(), ' ');
  text_ += line + "\n";
}

void Facts::addProblems(const std::vector<std::string>& problems) {
  text_ += problems.empty() ? "  no problems found\n" : "  warnings\n";
  for (const std::string& problem : problems) text_ += "    - " + text::printable(problem) + "\n";
}

Fact sizeFact(const Vec3d& size) {
  return {"size",
          {size.x, size.y, size.z},
          text::significant(size.x, 4) + " x " + text::significant(size.y, 4) + " x " + text::significant(size.z, 4) +
              " in bind space"};
}

} // namespace skincells::report
