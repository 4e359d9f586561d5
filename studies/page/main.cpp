// Measures the claims of the paper and writes the page about them:
//   skincells-study-page EXAMPLES --page docs/studies.md [--pictures docs/images] [--shared FOLDER] [--only NAME]
//   skincells-study-page EXAMPLES --check docs/studies.md
// EXAMPLES is the folder that skincells-examples wrote, --shared one with more characters. --check measures in a quick
// form, writes nothing, and ends with 5 if a verdict is not the one on the page.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "base/try.h"
#include "studies/page/page.h"

namespace {

using namespace skincells;
using namespace skincells::studies;

struct Request {
  Context context;
  std::string page, check, only;
};

bool parse(int argc, char** argv, Request& request) {
  if (argc < 2 || argc % 2 != 0) return false;
  request.context.examples = argv[1];
  for (int i = 2; i < argc; i += 2) {
    const std::string_view name = argv[i];
    std::string* const value = name == "--page"       ? &request.page
                               : name == "--check"    ? &request.check
                               : name == "--pictures" ? &request.context.pictures
                               : name == "--shared"   ? &request.context.shared
                               : name == "--only"     ? &request.only
                                                      : nullptr;
    if (value == nullptr) return false;
    *value = argv[i + 1];
  }
  return request.page.empty() != request.check.empty();
}

std::string readText(const std::string& path) {
  std::ifstream in(path);
  std::stringstream whole;
  whole << in.rdbuf();
  return whole.str();
}

Result<void> writeText(const std::string& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  out.close();
  if (!out) return Error{ErrorCode::CannotWrite, "cannot be written", path};
  return {};
}

// Whether every verdict is that of the page.
Result<bool> run(Request request) {
  request.context.quick = !request.check.empty();
  const std::string path = request.check.empty() ? request.page : request.check;
  bool same = true;
  for (const Section& section : allSections()) {
    if (!request.only.empty() && request.only != section.name) continue;
    if (request.context.quick && !section.quick) continue;
    if (section.shared && request.context.shared.empty()) continue;
    SKINCELLS_TRY(finding, section.measure(request.context));
    std::printf("%s: %s. %s\n", section.name, holdsName(finding.holds), finding.sentence.c_str());
    std::fflush(stdout);
    std::string page = readText(path);
    if (request.context.quick) {
      const std::string stored = verdictIn(page, section);
      if (stored == holdsName(finding.holds)) continue;
      std::printf("%s: the verdict on the page is '%s'\n%s\n", section.name, stored.c_str(), finding.body.c_str());
      same = false;
      continue;
    }
    putSection(section, finding, page);
    SKINCELLS_CHECK(writeText(path, page));
  }
  return same;
}

} // namespace

int main(int argc, char** argv) {
  Request request;
  if (!parse(argc, argv, request)) {
    std::fputs(
        "usage: skincells-study-page EXAMPLES --page FILE.md [--pictures FOLDER] [--shared FOLDER] [--only NAME]\n"
        "       skincells-study-page EXAMPLES --check FILE.md [--only NAME]\n",
        stderr);
    return 1;
  }
  const auto same = run(request);
  if (!same) std::fprintf(stderr, "skincells-study-page: %s\n", same.error().text().c_str());
  return !same ? 2 : *same ? 0 : 5;
}
