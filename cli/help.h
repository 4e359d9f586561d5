// The help of the program: what its commands and options are, as text for a terminal.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skincells::cli {

// An option or argument as help and completions show it.
struct HelpEntry {
  std::string name;                      // "--field", "-o,--output", or "input" for an argument without a name
  std::string value;                     // "FILE", "NUMBER", ...; empty for a flag
  std::string help;                      // meaning, range and default
  std::vector<std::string> choices = {}; // the words that it takes, if these are all or some of them
  bool required = false;
  std::function<std::string()> current = {}; // the present value as one types it; a flag: "true" or "false"

  bool positional() const { return name.front() != '-'; }
  // "field" of "--field", "output" of "-o,--output"
  std::string longName() const;
};

struct CommandHelp {
  std::string name, summary;
  std::vector<HelpEntry> entries;
};

// The headings under which options are listed, in this order.
enum class HelpGroup { Files, Joints, Deformation, Garments, Pictures, Measures, Output, Scripting, Other };
struct OptionPlace {
  HelpGroup group = HelpGroup::Other; // an option that the table in help.cpp lacks
  bool expert = false;                // listed by --help-all only
};
inline constexpr std::size_t kHelpGroupCount = 9;
std::string groupName(HelpGroup group);
OptionPlace placeOf(const std::string& command, const HelpEntry& entry);

// Lines of examples of a command, indented by two; of the program: "". May be empty.
std::string examplesOf(std::string_view command);
std::string upperCase(std::string text);

// Columns of the terminal that standard output is, within 60 .. 120; 100 if it is none.
int helpWidth();

// What `skincells` and `skincells help` print.
std::string programHelp(std::span<const CommandHelp> commands, int width);
// What `skincells help NAME` and `skincells NAME --help` print; everything: --help-all.
std::string commandHelp(const CommandHelp& command, bool everything, int width);

// The present name of an option that was renamed, so that a word means the same in all commands; empty: it was not.
std::string newSpelling(std::string_view command, std::string_view name);

// The word of the list that was probably meant; empty if none is close.
std::string nearestWord(const std::string& word, const std::vector<std::string>& known);

} // namespace skincells::cli
