#include "reference.h"

namespace skincells::cli {
namespace {

// Text of a table cell.
std::string cell(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

// The meaning, and what stands in the brackets behind it.
struct Meaning {
  std::string text, range;
};

Meaning splitHelp(const std::string& help) {
  const std::size_t bracket = help.rfind(" [");
  if (bracket == std::string::npos || !help.ends_with("]")) return {help, ""};
  return {help.substr(0, bracket), help.substr(bracket + 2, help.size() - bracket - 3)};
}

std::string nameOf(const HelpEntry& e) {
  if (e.positional()) return "`" + upperCase(e.name) + (e.value.empty() ? "" : " ...") + "`";
  std::string name = e.name;
  if (const std::size_t comma = name.find(','); comma != std::string::npos) name.replace(comma, 1, "`, `");
  return "`" + name + (e.value.empty() ? "" : " " + e.value) + "`";
}

// Text of a manual page: dashes that can be copied, and no line that begins like a request.
std::string roff(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    out += c == '\\' ? std::string("\\e") : c == '-' ? "\\-" : std::string(1, c);
    line_begins = c == '\n';
  }
  return out;
}

} // namespace

std::string commandReference(std::span<const CommandHelp> commands) {
  std::string out = "<!-- skincells help --markdown writes this page; the test cli checks it -->\n"
                    "# Command reference\n\n"
                    "| command | what it does |\n|---|---|\n";
  for (const CommandHelp& c : commands) out += "| [`" + c.name + "`](#" + c.name + ") | " + cell(c.summary) + " |\n";
  out += "\nA word means the same in all commands. Defaults and ranges are those of the option tables in the source.\n"
         "[Exit codes](exit-codes.md) are the same for all commands.\n";
  for (const CommandHelp& c : commands) {
    out += "\n## " + c.name + "\n\n" + static_cast<char>(std::toupper(c.summary.front())) + c.summary.substr(1) + ".\n";
    if (const std::string examples = examplesOf(c.name); !examples.empty()) out += "\n```\n" + examples + "```\n";
    for (std::size_t g = 0; g < kHelpGroupCount; ++g) {
      std::string rows;
      for (const HelpEntry& e : c.entries) {
        if (static_cast<std::size_t>(placeOf(c.name, e).group) != g) continue;
        const Meaning m = splitHelp(e.help);
        rows += "| " + nameOf(e) + (e.required ? " (required)" : "") + " | " + cell(m.text) + " | " + cell(m.range) +
                " |\n";
      }
      if (!rows.empty())
        out +=
            "\n| " + groupName(static_cast<HelpGroup>(g)) + " | meaning | range and default |\n|---|---|---|\n" + rows;
    }
  }
  return out;
}

std::string manualPage(std::span<const CommandHelp> commands) {
  std::string out = ".TH SKINCELLS 1\n.SH NAME\nskincells \\- automatic skinning weights for glTF, FBX and VRM\n"
                    ".SH SYNOPSIS\n.B skincells\nCOMMAND [OPTION ...]\n.SH COMMANDS\n";
  for (const CommandHelp& c : commands) out += ".TP\n.B " + roff(c.name) + "\n" + roff(c.summary) + "\n";
  for (const CommandHelp& c : commands) {
    out += ".SH " + upperCase(c.name) + "\n" + roff(c.summary) + ".\n";
    if (const std::string examples = examplesOf(c.name); !examples.empty())
      out += ".PP\n.nf\n" + roff(examples) + ".fi\n";
    for (const HelpEntry& e : c.entries)
      out += ".TP\n.B " + roff(e.positional() ? upperCase(e.name) : e.name) + "\n" +
             roff((e.value.empty() || e.positional() ? "" : e.value + ": ") + e.help) + "\n";
  }
  return out;
}

} // namespace skincells::cli
