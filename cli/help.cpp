#include "help.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <string_view>

namespace skincells::cli {
namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 usage, 2 cannot read or invalid input, 3 unsupported feature, 4 cannot write, 5 a quality "
    "gate failed, 6 items of a batch failed, 7 stopped early, 70 internal error.";

constexpr std::array<const char*, kHelpGroupCount> kGroupNames{
    "Files", "Joints", "Deformation", "Garments", "Pictures", "Measures", "Output", "Scripting", "Other"};

struct Row {
  HelpGroup group;
  std::string_view names; // separated by spaces
  bool expert;
};
using enum HelpGroup;
constexpr Row kRows[] = {
    {Files, "output rig skeleton field from-field body", false},
    {Files, "level align-rig bind-pose align embed-field single-file screen-coverage", true},
    {Joints, "joints keep-joints drop-joints part symmetry max-influences", false},
    {Joints, "skeletons joints-per-level", true},
    {Deformation, "method quality stiffness rom via", false},
    {Deformation,
     "start same-shape training-poses sites normals seed early-stop guard field-steps max-distance max-angle", true},
    {Deformation, "levels influences clip time pose-file pose", false},
    {Garments, "garment", false},
    {Garments, "layers margin garment-joints", true},
    {Pictures, "report-page view views poses color joint labels title count bones arrange open no-open serve bind-json",
     false},
    {Pictures, "front angle size columns port thumbnails pages", true},
    {Measures, "posed strict fail-on max-rms random-poses random-angle clip-poses", false},
    {Measures, "gate fps", true},
    {Output, "force", false},
    {Output, "quantize keep-unused", true},
    {Scripting, "json json-file options print-options quiet silent workers retry dry-run shard shards merge slurm",
     false},
    {Scripting,
     "threads time-limit on-interrupt memory-limit verify submit mem partition sbatch-option share-skeletons", true},
};
// Words that mean something else in some commands.
struct Exception {
  std::string_view command, name;
  HelpGroup group;
  bool expert;
};
constexpr Exception kExceptions[] = {
    {"render", "seed", Pictures, true}, {"render", "rom", Pictures, true},   {"report", "rom", Pictures, true},
    {"view", "rom", Pictures, true},    {"compare", "seed", Measures, true}, {"compare", "pose-file", Measures, false},
    {"batch", "time", Scripting, true},
};

bool lists(std::string_view names, std::string_view name) {
  for (std::size_t at = names.find(name); at != std::string_view::npos; at = names.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || names[at - 1] == ' ') && (end == names.size() || names[end] == ' ')) return true;
  }
  return false;
}

struct Example {
  std::string_view command, text;
};
constexpr Example kExamples[] = {
    {"", "skincells bind character.glb -o skinned.glb"},
    {"", "skincells view skinned.glb"},
    {"bind", "skincells bind character.glb -o skinned.glb"},
    {"bind", "skincells bind mesh.obj --rig skeleton.glb -o skinned.glb"},
    {"bind", "skincells bind shirt.glb coat.glb --body body_skinned.glb -o outfit"},
    {"bind", "skincells bind splats.ply --rig skeleton.glb -o skinned.ply"},
    {"bind", "skincells bind character.glb -o skinned.glb --drop-joints 'IK_*' --fail-on bad"},
    {"apply", "skincells apply character.skc lod2.glb -o lod2_skinned.glb"},
    {"transfer", "skincells transfer skinned.glb jacket.glb -o jacket_skinned.glb"},
    {"inspect", "skincells inspect character.glb"},
    {"check", "skincells check skinned.glb --posed"},
    {"render", "skincells render skinned.glb -o sheet.png --poses worst"},
    {"report", "skincells report skinned.glb reference.glb -o report.html"},
    {"view", "skincells view skinned.glb reference.glb"},
    {"lod", "skincells lod character.glb -o character_lods.glb --levels 1,0.5,0.25,0.1"},
    {"pose", "skincells pose skinned.glb --clip walk --time 0.4 -o walking.glb"},
    {"batch", "skincells batch 'in/**/*.glb' -o out -- bind --quality draft"},
    {"compare", "skincells compare reference.glb skinned.glb"},
};

// The text in lines of at most `width` columns, all but the first after `indent` spaces.
std::string wrapped(const std::string& text, int indent, int width) {
  std::string out;
  int column = indent;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const auto size = static_cast<int>(end - at);
    if (column > indent && column + 1 + size > width) {
      out += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      column = indent;
    }
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(at, end - at);
    column += size;
    at = end + 1;
  }
  return out;
}

// "  LEFT      right ..." with the right side wrapped; a long left side gets its own line.
std::string row(const std::string& left, const std::string& right, int indent, int width) {
  std::string out = "  " + left;
  const auto used = static_cast<int>(out.size());
  out += used + 2 > indent ? "\n" + std::string(static_cast<std::size_t>(indent), ' ')
                           : std::string(static_cast<std::size_t>(indent - used), ' ');
  return out + wrapped(right, indent, width) + "\n";
}

std::string leftOf(const HelpEntry& entry) {
  if (entry.positional()) return upperCase(entry.name);
  std::string name = entry.name;
  if (const std::size_t comma = name.find(','); comma != std::string::npos) name.replace(comma, 1, ", ");
  return name + (entry.value.empty() ? "" : " " + entry.value);
}

std::string exampleSection(std::string_view command) {
  const std::string lines = examplesOf(command);
  return lines.empty() ? "" : "\nExamples:\n" + lines;
}

std::string usageOf(const CommandHelp& command) {
  std::string out = "Usage: skincells " + command.name;
  for (const HelpEntry& e : command.entries)
    if (e.positional())
      out += " " + (e.required ? upperCase(e.name) : "[" + upperCase(e.name) + "]") + (e.value.empty() ? "" : "...");
  for (const HelpEntry& e : command.entries)
    if (!e.positional() && e.required) out += " " + e.name.substr(0, e.name.find(',')) + " " + e.value;
  return out + " [options]\n";
}

} // namespace

std::string upperCase(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string groupName(HelpGroup group) {
  return kGroupNames[static_cast<std::size_t>(group)];
}

std::string examplesOf(std::string_view command) {
  std::string out;
  for (const Example& e : kExamples)
    if (e.command == command) out += "  " + std::string(e.text) + "\n";
  return out;
}

std::string HelpEntry::longName() const {
  const std::size_t dashes = name.find("--");
  return dashes == std::string::npos ? name : name.substr(dashes + 2);
}

OptionPlace placeOf(const std::string& command, const HelpEntry& entry) {
  const std::string name = entry.longName();
  if (entry.positional()) return {Files};
  for (const Exception& e : kExceptions)
    if (e.command == command && e.name == name) return {e.group, e.expert};
  for (const Row& r : kRows)
    if (lists(r.names, name)) return {r.group, r.expert};
  return {Other};
}

int helpWidth() {
  winsize size{};
  if (isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::clamp<int>(size.ws_col, 60, 120);
  return 100;
}

std::string programHelp(std::span<const CommandHelp> commands, int width) {
  std::string out = wrapped("skincells computes skinning weights (automatic weight painting): it reads a mesh with a "
                            "skeleton and writes the same file, skinned.",
                            0, width);
  out += "\n\nUsage: skincells COMMAND [options]\n\nCommands:\n";
  for (const CommandHelp& c : commands) out += row(c.name, c.summary, 14, width);
  out += exampleSection("") + "\n";
  out += row("skincells help COMMAND", "the options of a command; with --help-all, all of them", 30, width);
  out += row("skincells completion SHELL", "completions for bash, zsh or fish", 30, width);
  out += row("skincells help --man", "the manual page, for man -l -", 30, width);
  out += row("skincells --version", "the version", 30, width);
  return out + "\n" + wrapped(kExitCodes, 0, width) + "\n";
}

std::string commandHelp(const CommandHelp& command, bool everything, int width) {
  constexpr int kIndent = 28;
  std::string out = wrapped("skincells " + command.name + ": " + command.summary, 0, width) + "\n\n" + usageOf(command);
  out += exampleSection(command.name);
  int hidden = 0;
  for (std::size_t g = 0; g < kGroupNames.size(); ++g) {
    std::string rows;
    for (const HelpEntry& e : command.entries) {
      const OptionPlace place = placeOf(command.name, e);
      if (static_cast<std::size_t>(place.group) != g) continue;
      if (place.expert && !everything && !e.required)
        ++hidden;
      else
        rows += row(leftOf(e), e.help, kIndent, width);
    }
    if (!rows.empty()) out += "\n" + std::string(kGroupNames[g]) + ":\n" + rows;
  }
  if (hidden > 0)
    out += "\n" + std::to_string(hidden) + " more for experts: skincells " + command.name + " --help-all\n";
  return out + "\n" + wrapped(kExitCodes, 0, width) + "\n";
}

std::string newSpelling(std::string_view command, std::string_view name) {
  struct Renamed {
    std::string_view commands, before, after; // commands: separated by spaces; empty: all
  };
  static constexpr Renamed kRenamed[] = {
      {"", "--report", "--json-file"},
      {"bind", "--page", "--report-page"},
      {"report", "--bind-report", "--bind-json"},
      {"bind lod", "--poses", "--training-poses"},
      {"compare pose", "--poses", "--pose-file"},
      {"lod pose view", "--field", "--from-field"},
      {"transfer", "--fit-steps", "--field-steps"},
  };
  for (const Renamed& r : kRenamed)
    if (r.before == name && (r.commands.empty() || lists(r.commands, command))) return std::string(r.after);
  return "";
}

std::string nearestWord(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1; // farther words are no typing mistakes
  for (const std::string& k : known) {
    std::vector<std::size_t> row(k.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < word.size(); ++i) { // Levenshtein's distance, one row at a time
      std::size_t diagonal = row[0];
      row[0] = i + 1;
      for (std::size_t j = 0; j < k.size(); ++j) {
        const std::size_t changed = diagonal + (word[i] == k[j] ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
      }
    }
    if (row.back() < least) {
      least = row.back();
      best = k;
    }
  }
  return best;
}

} // namespace skincells::cli
