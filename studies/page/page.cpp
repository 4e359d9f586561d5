#include "studies/page/page.h"

#include <sstream>

namespace skincells::studies {
namespace {

constexpr const char* kVerdict = "**Verdict: ";

std::string begin(const Section& s) {
  return std::string("<!-- begin ") + s.name + " -->\n";
}
std::string end(const Section& s) {
  return std::string("<!-- end ") + s.name + " -->\n";
}

std::string contentOf(const Section& section, const Finding& finding) {
  return std::string("\n## ") + section.title + "\n\n" + wrapped(std::string("*Claim.* ") + section.claim) + "\n" +
         wrapped(kVerdict + std::string(holdsName(finding.holds)) + ".** " + finding.sentence) + "\n```\n" +
         "make studies STUDY=" + section.name + "\n```\n\n" +
         (finding.notes.empty() ? "" : wrapped(finding.notes) + "\n") + finding.body + "\n";
}

} // namespace

std::string wrapped(const std::string& text) {
  constexpr std::size_t kColumns = 120;
  std::istringstream words(text);
  std::string out, line, word;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line + "\n";
}

const char* holdsName(Holds holds) {
  return holds == Holds::Yes ? "holds" : holds == Holds::Partly ? "holds partly" : "does not hold here";
}

void putSection(const Section& section, const Finding& finding, std::string& page) {
  const std::string content = contentOf(section, finding);
  if (page.find(begin(section)) == std::string::npos) page += "\n" + begin(section) + end(section);
  const std::size_t from = page.find(begin(section)) + begin(section).size(), to = page.find(end(section), from);
  page.replace(from, to == std::string::npos ? 0 : to - from, content);
}

std::string verdictIn(const std::string& page, const Section& section) {
  const std::size_t from = page.find(begin(section)), to = page.find(end(section));
  if (from == std::string::npos || to == std::string::npos) return "";
  const std::size_t at = page.find(kVerdict, from);
  if (at == std::string::npos || at > to) return "";
  const std::size_t first = at + std::string(kVerdict).size();
  return page.substr(first, page.find(".**", first) - first);
}

} // namespace skincells::studies
