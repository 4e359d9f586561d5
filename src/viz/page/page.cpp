#include "skincells/viz/page.h"

#include "base/assert.h"
#include "text/base64.h"
#include "viz/page/html.h"
#include "viz/page/page_style.h"

namespace skincells {
namespace {

using page::escaped;

std::string_view toneClass(Tone tone) {
  switch (tone) {
  case Tone::Neutral:
    return "";
  case Tone::Good:
    return "good";
  case Tone::Warning:
    return "warning";
  case Tone::Bad:
    return "bad";
  }
  return "";
}

// A mark before the text, so that no meaning depends on color alone.
std::string_view toneMark(Tone tone) {
  switch (tone) {
  case Tone::Neutral:
    return "";
  case Tone::Good:
    return "&#10003;&#160;";
  case Tone::Warning:
    return "&#9888;&#160;";
  case Tone::Bad:
    return "&#10007;&#160;";
  }
  return "";
}

// <name class="classes">content</name>
std::string element(std::string_view name, std::string_view classes, std::string_view content) {
  std::string out = "<";
  out.append(name);
  if (!classes.empty()) out.append(" class=\"").append(classes).append("\"");
  return out.append(">").append(content).append("</").append(name).append(">\n");
}

std::string toned(const std::string& text, Tone tone) {
  return tone == Tone::Neutral ? escaped(text) : std::string(toneMark(tone)) + escaped(text);
}

std::string factList(const std::vector<PageFact>& facts) {
  if (facts.empty()) return {};
  std::string rows;
  for (const PageFact& f : facts)
    rows += element("dt", "", escaped(f.key)) + element("dd", toneClass(f.tone), toned(f.value, f.tone));
  return element("dl", "facts", rows);
}

std::string factTiles(const std::vector<PageFact>& facts) {
  if (facts.empty()) return {};
  std::string tiles;
  for (const PageFact& f : facts)
    tiles += element("div", "tile",
                     element("dt", "", escaped(f.key)) + element("dd", toneClass(f.tone), toned(f.value, f.tone)));
  return element("dl", "tiles", tiles);
}

std::string picture(const std::vector<std::uint8_t>& png, const std::string& text) {
  return "<img alt=\"" + escaped(text) + "\" src=\"data:image/png;base64," + text::encodeBase64(png) + "\">\n";
}

std::string figure(const std::string& content, const std::string& caption) {
  return element("figure", "", caption.empty() ? content : content + element("figcaption", "", escaped(caption)));
}

std::string figure(const PageImage& image) {
  return figure(picture(image.png, image.caption), image.caption);
}

std::string gallery(const PageGallery& g) {
  std::string pictures;
  for (const PageImage& image : g.images) pictures += figure(image);
  std::string content = element("h3", "", escaped(g.caption)) + element("div", "grid", pictures);
  if (!g.legend.empty()) content += element("div", "legend", picture(g.legend, "scale of the colors"));
  return element("div", "gallery", content);
}

std::string tableCell(const PageCell& cell, const PageColumn& column) {
  const std::string attributes =
      " data-label=\"" + escaped(column.heading) + "\"" + (column.numeric ? " class=\"number\"" : "");
  const std::string content = cell.tone == Tone::Neutral ? escaped(cell.text)
                                                         : element("span", "mark " + std::string(toneClass(cell.tone)),
                                                                   toned(cell.text, cell.tone));
  return "<td" + attributes + ">" + content + "</td>\n";
}

// Many columns, the last one text: on a phone each row becomes a list.
bool stacks(const PageTable& t) {
  return t.columns.size() > 4 && !t.columns.back().numeric;
}

std::string table(const PageTable& t) {
  std::string head, body;
  for (const PageColumn& c : t.columns) head += element("th", c.numeric ? "number" : "", escaped(c.heading));
  for (const auto& row : t.rows) {
    SKINCELLS_ASSERT(row.size() == t.columns.size());
    std::string cells;
    for (std::size_t i = 0; i < row.size(); ++i) cells += tableCell(row[i], t.columns[i]);
    body += element("tr", "", cells);
  }
  std::string content = t.caption.empty() || t.folded ? std::string() : element("caption", "", escaped(t.caption));
  content += element("thead", "", element("tr", "", head)) + element("tbody", "", body);
  const std::string whole = element("div", "scroll", element("table", stacks(t) ? "stacks" : "", content));
  if (!t.folded) return whole;
  const std::string summary = escaped(t.caption) + " (" + std::to_string(t.rows.size()) + ")";
  return element("details", "rows", element("summary", "", summary) + whole);
}

std::string section(const PageSection& s) {
  std::string content;
  for (const std::string& p : s.paragraphs) content += element("p", "", escaped(p));
  content += factList(s.facts);
  for (const PageGallery& g : s.galleries) content += gallery(g);
  for (const PageImage& image : s.images) content += figure(image);
  for (const PageDrawing& drawing : s.drawings) content += figure(drawing.svg, drawing.caption);
  for (const PageTable& t : s.tables) content += table(t);
  const std::string heading = s.heading.empty() ? std::string() : element("h2", "", escaped(s.heading));
  if (!s.folded) return element("section", "card", heading + content);
  return element("section", "card", element("details", "", element("summary", "", heading) + content));
}

std::string header(const PageInput& input) {
  std::string content = element("h1", "", escaped(input.title));
  if (!input.verdict_text.empty())
    content +=
        element("span", "verdict " + std::string(toneClass(input.verdict)), toned(input.verdict_text, input.verdict));
  if (!input.summary.empty()) content += element("p", "summary", escaped(input.summary));
  return element("header", "", content);
}

} // namespace

std::string reportPage(const PageInput& input) {
  // The policy keeps the browser from fetching or running anything, whatever text the report holds.
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; img-src data:\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += element("title", "", escaped(input.title));
  page += element("style", "", page::pageStyle());
  std::string content = header(input) + factTiles(input.facts);
  for (const PageSection& s : input.sections) content += section(s);
  if (!input.footer.empty()) content += element("footer", "", escaped(input.footer));
  return page + "</head>\n<body>\n" + element("main", "", content) + "</body>\n</html>\n";
}

} // namespace skincells
