#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "skincells/viz/page.h"
#include "viz/page/bind_sections.h"
#include "viz/page/html.h"

namespace skincells {
namespace {

constexpr const char* kNasty = "<script src=\"https://example.org/x\">&'\"</script>";

PageInput fullPage() {
  PageInput in;
  in.title = "Character", in.summary = "Bound.", in.verdict = Tone::Good, in.verdict_text = "passed";
  in.facts = {{"vertices", "12"}, {"unweighted", "0", Tone::Good}};
  PageSection s;
  s.heading = "Metrics";
  s.paragraphs = {"One.", "Two."};
  s.facts = {{"method", "proximity"}};
  s.images = {{{0x89, 'P', 'N', 'G'}, "a sheet"}};
  s.drawings = {{"<svg><line></line></svg>", "a curve"}};
  s.tables = {{"per joint", {{"name"}, {"mass", true}}, {{{"hip"}, {"1.5", Tone::Bad}}, {{"knee"}, {"0.5"}}}}};
  s.galleries = {{"views", {{{0x89, 'P', 'N', 'G'}, "from the front"}}, {0x89, 'P', 'N', 'G'}}};
  in.sections = {s, s};
  in.sections[1].folded = in.sections[1].tables[0].folded = true;
  in.footer = "skincells";
  return in;
}

// The name of a tag that starts with what follows '<': "div" for "div class=...>", "/div" for "/div>".
std::string tagName(std::string_view tag) {
  return std::string(tag.substr(0, tag.find_first_of(" >")));
}

// Every '<' opens a tag, and every opening tag is closed in order; void elements excepted.
void expectBalanced(const std::string& html) {
  static const std::vector<std::string> kVoid{"meta", "img", "!DOCTYPE"};
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at), next = html.find('<', at + 1);
    ASSERT_LT(end, next) << html.substr(at, 40);
    const std::string name = tagName(std::string_view(html).substr(at + 1, end - at));
    if (std::find(kVoid.begin(), kVoid.end(), name) != kVoid.end()) continue;
    if (name[0] != '/') {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty()) << name;
    EXPECT_EQ("/" + open.back(), name);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
}

TEST(ReportPage, IsWellFormed) {
  expectBalanced(reportPage(fullPage()));
  expectBalanced(reportPage({}));
}

TEST(ReportPage, HoldsWhatItWasGiven) {
  const std::string html = reportPage(fullPage());
  for (const char* text : {"<title>Character</title>", "Bound.", "passed", "vertices", "proximity", "One.", "Two.",
                           "per joint", "knee", "1.5", "skincells", "data:image/png;base64,iVBORw=="})
    EXPECT_NE(html.find(text), std::string::npos) << text;
}

TEST(ReportPage, FoldsLongTablesAndStacksWordyOnes) {
  PageInput in = fullPage();
  const std::string html = reportPage(in);
  EXPECT_NE(html.find("<summary>per joint (2)</summary>"), std::string::npos);
  EXPECT_EQ(html.find("class=\"stacks\""), std::string::npos);
  in.sections[0].tables = {
      {"", {{"a"}, {"b"}, {"c"}, {"d"}, {"words"}}, {{{"1"}, {"2"}, {"3"}, {"4"}, {"many words"}}}}};
  const std::string wide = reportPage(in);
  EXPECT_NE(wide.find("<table class=\"stacks\">"), std::string::npos);
  EXPECT_NE(wide.find("<td data-label=\"words\">many words</td>"), std::string::npos);
}

TEST(ReportPage, FetchesNothing) {
  std::string html = reportPage(fullPage());
  EXPECT_EQ(html.find("http:"), std::string::npos);
  EXPECT_EQ(html.find("https:"), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("<link"), std::string::npos);
  EXPECT_EQ(html.find("url("), std::string::npos);
  EXPECT_EQ(html.find("@import"), std::string::npos);
  for (std::size_t at = html.find("src=\""); at != std::string::npos; at = html.find("src=\"", at + 1))
    EXPECT_EQ(html.compare(at, 10, "src=\"data:"), 0);
}

TEST(ReportPage, EscapesEveryText) {
  PageInput in;
  in.title = in.summary = in.verdict_text = in.footer = kNasty;
  in.facts = {{kNasty, kNasty, Tone::Bad}};
  PageSection s;
  s.heading = kNasty;
  s.paragraphs = {kNasty};
  s.facts = {{kNasty, kNasty}};
  s.galleries = {{kNasty, {{{1, 2, 3}, kNasty}}, {1, 2, 3}}};
  s.images = {{{1, 2, 3}, kNasty}};
  s.tables = {{kNasty, {{kNasty}}, {{{kNasty}}, {{kNasty, Tone::Warning}}}}};
  in.sections = {s, s};
  in.sections[1].folded = in.sections[1].tables[0].folded = true;
  const std::string html = reportPage(in);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("src=\"https"), std::string::npos);
  expectBalanced(html);
  std::size_t count = 0;
  for (std::size_t at = html.find("&lt;script src=&quot;"); at != std::string::npos;
       at = html.find("&lt;script src=&quot;", at + 1))
    ++count;
  EXPECT_EQ(count, 1U + 4 + 2 + 2 * (1 + 1 + 2 + 3 + 2 + 1 + 1 + 4)); // the title is used twice, captions are
                                                                      // also alt text, cells carry their heading
}

TEST(Escaped, LeavesPlainTextAndReplacesControls) {
  EXPECT_EQ(page::escaped("plain \xC3\xA9 text\n\t"), "plain \xC3\xA9 text\n\t");
  EXPECT_EQ(page::escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(page::escaped(std::string_view("\0x\x1b", 3)), "\xEF\xBF\xBDx\xEF\xBF\xBD");
}

TEST(GarmentSection, HasOneTablePerGarmentWithTheResultFirst) {
  GarmentOutcome skirt{"skirt", 24, 8, {{"skin-cells", {}}, {"whole", {}}, {"robust", {}}}};
  skirt.skins[0].quality.penetration.vertex_percent = 0.5;
  skirt.skins[1].quality.penetration.vertex_percent = 2.25;
  const PageSection section = page::garmentSection({skirt, {"coat", 24, 0, {}}});
  ASSERT_EQ(section.tables.size(), 2U);
  EXPECT_EQ(section.tables[0].caption, "skirt, 24 poses, 8 own joints");
  EXPECT_EQ(section.tables[1].caption, "coat, 24 poses");
  ASSERT_EQ(section.tables[0].rows.size(), 3U);
  for (const auto& row : section.tables[0].rows) EXPECT_EQ(row.size(), section.tables[0].columns.size());
  EXPECT_EQ(section.tables[0].rows[0][0].text, "skin-cells");
  EXPECT_EQ(section.tables[0].rows[1][1].text, "2.25");
  EXPECT_EQ(section.tables[0].rows[1][1].tone, Tone::Warning);
  EXPECT_EQ(section.tables[0].rows[2][1].tone, Tone::Neutral);
}

} // namespace
} // namespace skincells
