#include "command_line.h"

#include <algorithm>
#include <cstdio>
#include <deque>

#include <CLI/CLI.hpp>

#include "completion.h"
#include "ending.h"
#include "memory_watch.h"
#include "option_file.h"
#include "reference.h"
#include "skincells/threads.h"
#include "skincells/version.h"
#include "streams.h"

namespace skincells::cli {
namespace {

int exitCodeOf(ErrorCode code) {
  switch (code) {
  case ErrorCode::InvalidOption:
    return kUsage;
  case ErrorCode::UnsupportedFeature:
    return kUnsupported;
  case ErrorCode::CannotWrite:
    return kCannotWrite;
  case ErrorCode::Cancelled:
    return kStoppedEarly;
  case ErrorCode::FileNotFound:
  case ErrorCode::UnsafeReference:
  case ErrorCode::InvalidFile:
  case ErrorCode::TooLarge:
  case ErrorCode::NoMesh:
  case ErrorCode::NoSkeleton:
  case ErrorCode::AmbiguousSkeleton:
  case ErrorCode::NoJoints:
  case ErrorCode::Mismatch:
  case ErrorCode::ImportFailed:
    return kInvalidInput;
  }
  return kInternal;
}

// Prints the error on stderr and, with --json, as the document on stdout.
int fail(const Error& error, const CommonOptions& options) {
  std::fprintf(stderr, "skincells: %s\n", withStreamNames(errorText(error)).c_str());
  if (options.json) std::fputs(errorJson(error).c_str(), stdout);
  return exitCodeOf(error.code);
}

// An error of the command line itself. --json has not been parsed then.
int failUsage(const std::string& message, int argc, char** argv) {
  std::fprintf(stderr, "skincells: %s\nSee 'skincells help'.\n", printableName(message).c_str());
  if (std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; }))
    std::fputs(errorJson({ErrorCode::InvalidOption, message, "command line"}).c_str(), stdout);
  return kUsage;
}

} // namespace

const Declared& Declared::required() const {
  option_->required();
  entries_[at_].required = true;
  return *this;
}
const Declared& Declared::excludes(const Declared& other) const {
  option_->excludes(other.option_);
  return *this;
}
const Declared& Declared::needs(const Declared& other) const {
  option_->needs(other.option_);
  return *this;
}

Declared CommandOptions::text(const std::string& name, std::string& value, const std::string& help,
                              const std::string& word) {
  entries_.push_back({name, name.front() == '-' ? word : "", help});
  entries_.back().current = [&value] { return value; };
  return Declared(app_.add_option(name, value, help), entries_);
}

Declared CommandOptions::texts(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  entries_.push_back({name, "...", help});
  return Declared(app_.add_option(name, values, help), entries_);
}

Declared CommandOptions::repeated(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  auto* option = app_.add_option(name, values, help);
  option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  entries_.push_back({name, "VALUE", help});
  return Declared(option, entries_);
}

Declared CommandOptions::integer(const std::string& name, int& value, int lo, int hi, const std::string& help) {
  entries_.push_back({name, "NUMBER", help});
  entries_.back().current = [&value] { return std::to_string(value); };
  return Declared(app_.add_option(name, value, help)->check(CLI::Range(lo, hi)), entries_);
}

Declared CommandOptions::flag(const std::string& name, bool& value, const std::string& help) {
  entries_.push_back({name, "", help});
  entries_.back().current = [&value]() -> std::string { return value ? "true" : "false"; };
  return Declared(app_.add_flag(name, value, help), entries_);
}

namespace {

// An option of a table for the help: "a | b | FILE" are the words a and b, or a file.
HelpEntry helpEntry(const OptionInfo& info) {
  HelpEntry entry{"--" + info.name, "", info.help};
  if (info.kind == OptionKind::Flag) {
    entry.help += " [default: off]";
    return entry;
  }
  const bool number = info.kind == OptionKind::Integer || info.kind == OptionKind::Real;
  const bool file = info.range.find("file") != std::string::npos || info.range.find("FILE") != std::string::npos;
  const std::string between = " | ";
  const bool choice = info.range.find(between) != std::string::npos;
  entry.value = number ? "NUMBER" : choice ? "WORD" : file ? "FILE" : "TEXT";
  for (std::size_t at = 0; choice && at <= info.range.size();) {
    const std::size_t end = std::min(info.range.find(between, at), info.range.size());
    const std::string word = info.range.substr(at, end - at);
    if (word.find_first_of(" ABCDEFGHIJKLMNOPQRSTUVWXYZ,") == std::string::npos) entry.choices.push_back(word);
    at = end + between.size();
  }
  const std::string fallback = info.default_text.empty() ? "none" : info.default_text;
  entry.help += " [" + (info.range.empty() ? "" : info.range + "; ") + "default: " + fallback + "]";
  return entry;
}

} // namespace

void CommandOptions::entry(const OptionInfo& info, std::function<Result<void>(const std::string&)> set,
                           std::function<std::string()> current) {
  const auto parse = [set = std::move(set)](const std::string& text) {
    if (auto done = set(text); !done) throw CLI::ValidationError(done.error().text());
  };
  HelpEntry& entry = entries_.emplace_back(helpEntry(info));
  entry.current = std::move(current);
  if (info.kind == OptionKind::Flag)
    app_.add_flag_function(
        entry.name, [parse](std::int64_t) { parse("true"); }, entry.help);
  else
    app_.add_option_function<std::string>(entry.name, parse, entry.help);
}

void CommandOptions::run(CommonOptions& options) {
  quiet(options);
  threads(options);
}

void CommandOptions::quiet(CommonOptions& options) {
  flag("--quiet", options.quiet, "print warnings and errors only [default: off]");
  flag("--silent", options.without_words, "print errors only [default: off]");
}

void CommandOptions::threads(CommonOptions& options) {
  integer("--threads", options.threads, 0, 1024,
          "number of threads; the result does not depend on it [0 .. 1024; default: 0, all]");
  integer("--memory-limit", options.memory_limit, 0, 1 << 24,
          "megabytes of memory above which the work is stopped, as by TERM; 0: no limit [0 .. 16777216; default: 0]");
}

void CommandOptions::document(CommonOptions& options) {
  text("--json-file", options.report,
       "also write the result as a JSON file (schema: docs/report.schema.json) [a file; default: none]");
  flag("--json", options.json, "print one JSON document on stdout and nothing else there [default: off]");
  quiet(options);
}

void CommandOptions::common(CommonOptions& options) {
  document(options);
  threads(options);
}

void CommandOptions::reportOnly(CommonOptions& options) {
  flag("--force", options.force, "replace an existing report [default: off]");
  common(options);
}

void CommandOptions::page(bool& force, CommonOptions& options) {
  flag("--force", force, "replace an existing output file [default: off]");
  common(options);
}

ProgressFunction stoppable(ProgressFunction progress) {
  return [progress = std::move(progress)](const Progress& p) { return (!progress || progress(p)) && !interrupted(); };
}

int runCommand(const CommonOptions& common, const JobFiles& files,
               const std::function<Result<Printed>(OutputSet&)>& work) {
  const ThreadLimit threads(common.threads);
  const MemoryWatch memory(common.memory_limit);
  const bool force = common.force || files.force;
  OutputSet outputs;
  if (auto safe = declareFiles({files.inputs, {common.report}, force}, outputs); !safe)
    return fail(safe.error(), common);
  const auto printed = work(outputs);
  if (!printed) return fail(printed.error(), common);
  if (!common.report.empty())
    if (auto staged = outputs.stage(common.report, printed->document.json, force); !staged)
      return fail(staged.error(), common);
  if (auto committed = outputs.commit(); !committed) return fail(committed.error(), common);
  // Standard output comes last: a reader that closes it early must not cost the files.
  if (common.json)
    std::fputs(withStreamNames(printed->document.json).c_str(), stdout);
  else if (!common.silent())
    std::fputs(withStreamNames(printed->document.text).c_str(), textStream());
  else if (!common.without_words)
    std::fputs(withStreamNames(printed->document.warnings).c_str(), stderr);
  return printed->code;
}

// The commands as CLI11 knows them.
class CommandLine {
public:
  explicit CommandLine(std::span<const Command> commands) {
    app_.set_version_flag("--version", std::string("skincells ") + SKINCELLS_VERSION);
    app_.set_help_flag(); // the help is ours
    app_.require_subcommand(1);
    for (const Command& c : commands) {
      CLI::App* sub = app_.add_subcommand(c.name, c.help);
      sub->set_help_flag();
      CommandOptions& options = options_.emplace_back(*sub);
      Run run = c.set_up(options);
      options.text("--options", options.option_file_,
                   "a JSON file of further options, {\"NAME\": value}; those of the command line count more [a file; "
                   "default: none]");
      options.flag("--print-options", options.print_options_,
                   "only print all options with their values, as a file for --options [default: off]");
      parsed_.push_back({sub, std::move(run), options.rest_});
      help_.push_back({c.name, c.help, options.entries_});
    }
  }

  // Whether the words that were parsed fill a list of inputs.
  bool hasFurtherInputs() const {
    for (const CLI::App* sub : app_.get_subcommands())
      for (const CLI::Option* option : sub->get_options())
        if (option->get_positional() && option->get_expected_max() > 1 && option->count() > 0) return true;
    return false;
  }

  // Puts the options of the files that --options names in its place; those that are given count more. Throws what CLI11
  // throws.
  void replaceOptionFiles(std::vector<std::string>& words) const {
    while (replaceOptionFile(words)) {
    }
  }

  // Throws what CLI11 throws. words: without the name of the program.
  void parse(std::vector<std::string> words) {
    replaceOptionFiles(words);
    if (std::ranges::find(words, "--print-options") != words.end()) requireNothing();
    for (const Parsed& p : parsed_) {
      const auto end = std::ranges::find(words, "--");
      if (p.rest == nullptr || words.empty() || words.front() != p.app->get_name() || end == words.end()) continue;
      p.rest->assign(end + 1, words.end());
      words.erase(end, words.end());
    }
    refuseUnknown(words);
    std::ranges::reverse(words); // as CLI11 wants them
    app_.parse(std::move(words));
  }

  int exit(const CLI::Success& version) { return app_.exit(version); }

  int run() const {
    for (std::size_t i = 0; i < parsed_.size(); ++i) {
      if (!parsed_[i].app->parsed()) continue;
      if (!options_[i].print_options_) return parsed_[i].run();
      std::fputs(optionFileText(help_[i]).c_str(), stdout);
      return kDone;
    }
    return kUsage;
  }

  // The help of the command that the words begin with, or null.
  const CommandHelp* commandOf(const std::vector<std::string>& words) const {
    const auto command = words.empty() ? help_.end() : std::ranges::find(help_, words.front(), &CommandHelp::name);
    return command == help_.end() ? nullptr : &*command;
  }

  const std::vector<CommandHelp>& help() const { return help_; }

private:
  struct Parsed {
    CLI::App* app;
    Run run;
    std::vector<std::string>* rest;
  };

  // False if there is none.
  bool replaceOptionFile(std::vector<std::string>& words) const {
    const CommandHelp* command = commandOf(words);
    const auto end = std::ranges::find(words, "--");
    const auto option = std::find_if(words.begin(), end, [](const std::string& word) {
      return word == "--options" || word.starts_with("--options=");
    });
    if (command == nullptr || option == end) return false;
    const bool joined = *option != "--options";
    if (!joined && option + 1 == end) return false; // CLI11 says that its value is missing
    auto more = wordsOfOptionFile(joined ? option->substr(std::string_view("--options=").size()) : *(option + 1),
                                  *command, {words.begin(), end});
    if (!more) throw CLI::ParseError(more.error().text(), kUsage);
    const auto after = words.erase(option, option + (joined ? 1 : 2));
    words.insert(after, more->begin(), more->end());
    return true;
  }

  void requireNothing() {
    for (const Parsed& p : parsed_)
      for (CLI::Option* option : p.app->get_options()) option->required(false);
  }

  // Throws for a command or an option that does not exist, with the one that was probably meant.
  void refuseUnknown(const std::vector<std::string>& words) const {
    if (words.empty() || words.front().starts_with("-")) return;
    const auto command = std::ranges::find(help_, words.front(), &CommandHelp::name);
    if (command == help_.end()) {
      std::vector<std::string> names;
      for (const CommandHelp& c : help_) names.push_back(c.name);
      throw CLI::ParseError(
          "there is no command '" + words.front() + "'" + meant(nearestWord(words.front(), names), ""), kUsage);
    }
    for (const std::string& word : words) {
      const std::string name = word.substr(0, word.find('='));
      if (!name.starts_with("--") || name.size() < 4 || has(*command, name)) continue;
      std::vector<std::string> names;
      for (const HelpEntry& e : command->entries)
        if (!e.positional()) names.push_back("--" + e.longName());
      if (const std::string now = newSpelling(command->name, name); !now.empty())
        throw CLI::ParseError("'" + name + "' of '" + command->name + "' is now called '" + now + "'", kUsage);
      const auto other = std::ranges::find_if(help_, [&](const CommandHelp& c) { return has(c, name); });
      const std::string near = nearestWord(name, names);
      throw CLI::ParseError("'" + command->name + "' has no option '" + name + "'" +
                                meant(near, other == help_.end() ? "" : other->name),
                            kUsage);
    }
  }

  static bool has(const CommandHelp& command, const std::string& name) {
    return std::ranges::any_of(command.entries,
                               [&](const HelpEntry& e) { return !e.positional() && "--" + e.longName() == name; });
  }

  static std::string meant(const std::string& near, const std::string& other) {
    return (other.empty() ? "" : "; it is one of '" + other + "'") +
           (near.empty() ? "" : "; did you mean '" + near + "'?");
  }

  CLI::App app_{"", "skincells"};
  std::deque<CommandOptions> options_; // by command; their places do not change
  std::vector<Parsed> parsed_;
  std::vector<CommandHelp> help_;
};

Result<void> checkWords(std::span<const Command> commands, const std::vector<std::string>& words) {
  try {
    CommandLine line(commands);
    line.parse(words);
    if (line.hasFurtherInputs())
      return Error{ErrorCode::InvalidOption, "has one input in a batch: the character, which the batch adds",
                   words.front()};
  } catch (const CLI::ParseError& error) {
    return Error{ErrorCode::InvalidOption, error.what(), words.front()};
  }
  return {};
}

Result<std::vector<std::string>> withoutOptionFiles(std::span<const Command> commands, std::vector<std::string> words) {
  try {
    CommandLine(commands).replaceOptionFiles(words);
  } catch (const CLI::ParseError& error) {
    return Error{ErrorCode::InvalidOption, error.what(), words.front()};
  }
  return words;
}

namespace {

// Prints help or a completion script if the words ask for it.
bool printedHelp(const CommandLine& line, const std::vector<std::string>& words) {
  const auto end = std::ranges::find(words, "--");
  const auto asked = [&](const char* word) { return std::find(words.begin(), end, word) != end; };
  const bool everything = asked("--help-all");
  const bool wanted = words.empty() || words.front() == "help" || everything || asked("--help") || asked("-h");
  const auto put = [](const std::string& text) { std::fputs(text.c_str(), stdout); };
  if (words.size() == 2 && words.front() == "completion") {
    const std::string script = completionScript(words[1], line.help());
    put(script);
    return !script.empty();
  }
  if (!wanted) return false;
  if (words.size() == 2 && words.front() == "help" && words[1] == "--markdown") {
    put(commandReference(line.help()));
    return true;
  }
  if (words.size() == 2 && words.front() == "help" && words[1] == "--man") {
    put(manualPage(line.help()));
    return true;
  }
  for (const std::string& word : words)
    if (const auto command = std::ranges::find(line.help(), word, &CommandHelp::name); command != line.help().end()) {
      put(commandHelp(*command, everything, helpWidth()));
      return true;
    }
  const bool named = words.size() > 1 && words.front() == "help" && !words[1].starts_with("-");
  if (named) return false; // a command that does not exist
  put(programHelp(line.help(), helpWidth()));
  for (const CommandHelp& command : line.help())
    if (everything) put("\n" + commandHelp(command, true, helpWidth()));
  return true;
}

} // namespace

int runCommandLine(std::span<const Command> commands, int argc, char** argv) {
  CommandLine line(commands);
  Streams streams;
  std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (printedHelp(line, words)) return kDone;
    if (words.front() == "help") words.erase(words.begin());
    if (const CommandHelp* command = line.commandOf(words))
      if (auto replaced = streams.replace(*command, words); !replaced) return fail(replaced.error(), {});
    line.parse(std::move(words));
  } catch (const CLI::Success& version) {
    return line.exit(version);
  } catch (const CLI::ParseError& error) {
    return failUsage(error.what(), argc, argv);
  }
  const int code = line.run();
  if (auto finished = streams.finish(); !finished) return fail(finished.error(), {});
  return code;
}

} // namespace skincells::cli
