#include "viz/page/verdict_section.h"

#include <algorithm>

#include "base/assert.h"
#include "text/table.h"

namespace skincells::page {
namespace {

Tone toneOf(Grade grade) {
  static constexpr Tone kTones[] = {Tone::Good, Tone::Warning, Tone::Bad};
  return kTones[static_cast<int>(grade)];
}

} // namespace

PageSection verdictSection(const std::vector<NamedVerdict>& skins) {
  SKINCELLS_ASSERT(!skins.empty());
  const Verdict& first = skins.front().verdict;
  PageSection section;
  section.heading = "Verdict";
  section.paragraphs = {"Measured in " + first.poses + "."};
  PageTable table;
  table.columns = {{"measure", false}};
  for (const NamedVerdict& skin : skins) table.columns.push_back({skin.name, true});
  table.columns.insert(table.columns.end(), {{"good up to", true}, {"bad beyond", true}, {"most at", false}});
  for (std::size_t i = 0; i < first.findings.size(); ++i) {
    const Threshold& t = first.findings[i].threshold;
    std::vector<PageCell> row{{t.label}};
    for (const NamedVerdict& skin : skins) {
      const Finding& f = skin.verdict.findings[i];
      row.push_back({text::fixed(f.value, t.digits), toneOf(f.grade)});
    }
    row.push_back({text::fixed(t.good, t.digits)});
    row.push_back({text::fixed(t.bad, t.digits)});
    row.push_back({first.findings[i].where});
    table.rows.push_back(std::move(row));
  }
  section.tables = {std::move(table)};
  return section;
}

void setVerdict(PageInput& page, bool valid, const std::vector<NamedVerdict>& skins) {
  Grade worst = valid ? Grade::Good : Grade::Bad;
  for (const NamedVerdict& skin : skins) worst = std::max(worst, skin.verdict.grade);
  page.verdict = toneOf(worst);
  page.verdict_text = valid ? gradeName(worst) : "bad: the file is not valid";
}

} // namespace skincells::page
