#include "command_line.h"

#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "ending.h"
#include "skincells/threads.h"
#include "skincells/version.h"

namespace skincells::cli {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done, 1 usage, 2 cannot read or invalid input, 3 unsupported feature, 4 cannot write,\n"
    "5 a quality gate failed, 6 items of a batch failed, 7 stopped early, 70 internal error.";

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
  std::fprintf(stderr, "skincells: %s\n", errorText(error).c_str());
  if (options.json) std::fputs(errorJson(error).c_str(), stdout);
  return exitCodeOf(error.code);
}

// An error of the command line itself. --json has not been parsed then.
int failUsage(const std::string& message, int argc, char** argv) {
  std::fprintf(stderr, "skincells: %s\nRun with --help for more information.\n", printableName(message).c_str());
  if (std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; }))
    std::fputs(errorJson({ErrorCode::InvalidOption, message, "command line"}).c_str(), stdout);
  return kUsage;
}

} // namespace

const Declared& Declared::required() const {
  option_->required();
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

Declared CommandOptions::text(const std::string& name, std::string& value, const std::string& help) {
  return Declared(app_.add_option(name, value, help));
}

Declared CommandOptions::texts(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  return Declared(app_.add_option(name, values, help));
}

Declared CommandOptions::repeated(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  auto* option = app_.add_option(name, values, help);
  option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return Declared(option);
}

Declared CommandOptions::integer(const std::string& name, int& value, int lo, int hi, const std::string& help) {
  return Declared(app_.add_option(name, value, help)->check(CLI::Range(lo, hi)));
}

Declared CommandOptions::flag(const std::string& name, bool& value, const std::string& help) {
  return Declared(app_.add_flag(name, value, help));
}

void CommandOptions::entry(const OptionInfo& info, std::function<Result<void>(const std::string&)> set) {
  const auto parse = [set = std::move(set)](const std::string& text) {
    if (auto done = set(text); !done) throw CLI::ValidationError(done.error().text());
  };
  const std::string name = "--" + info.name;
  if (info.kind == OptionKind::Flag) {
    app_.add_flag_function(
        name, [parse](std::int64_t) { parse("true"); }, info.help + " [default: off]");
    return;
  }
  const std::string fallback = info.default_text.empty() ? "none" : info.default_text;
  const std::string range = info.range.empty() ? "" : info.range + "; ";
  app_.add_option_function<std::string>(name, parse, info.help + " [" + range + "default: " + fallback + "]");
}

void CommandOptions::run(CommonOptions& options) {
  flag("--quiet", options.quiet, "print errors only [default: off]");
  threads(options);
}

void CommandOptions::threads(CommonOptions& options) {
  integer("--threads", options.threads, 0, 1024,
          "number of threads; the result does not depend on it [0 .. 1024; default: 0, all]");
}

void CommandOptions::document(CommonOptions& options) {
  text("--report", options.report,
       "also write the result as a JSON file (schema: docs/report.schema.json) [a file; default: none]");
  flag("--json", options.json, "print one JSON document on stdout and nothing else there [default: off]");
  flag("--quiet", options.quiet, "print errors only [default: off]");
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
  run(options);
}

ProgressFunction stoppable(ProgressFunction progress) {
  return [progress = std::move(progress)](const Progress& p) { return (!progress || progress(p)) && !interrupted(); };
}

int runCommand(const CommonOptions& common, const JobFiles& files,
               const std::function<Result<Printed>(OutputSet&)>& work) {
  const ThreadLimit threads(common.threads);
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
    std::fputs(printed->document.json.c_str(), stdout);
  else if (!common.quiet)
    std::fputs(printed->document.text.c_str(), stdout);
  return printed->code;
}

// The commands as CLI11 knows them.
class CommandLine {
public:
  explicit CommandLine(std::span<const Command> commands) {
    app_.set_version_flag("--version", std::string("skincells ") + SKINCELLS_VERSION);
    app_.require_subcommand(1);
    app_.footer(kFooter);
    for (const Command& c : commands) {
      CLI::App* sub = app_.add_subcommand(c.name, c.help);
      sub->footer(kFooter);
      CommandOptions options(*sub);
      Run run = c.set_up(options);
      parsed_.push_back({sub, std::move(run), options.rest_});
    }
  }

  // Throws what CLI11 throws. words: without the name of the program.
  void parse(std::vector<std::string> words) {
    for (const Parsed& p : parsed_) {
      const auto end = std::ranges::find(words, "--");
      if (p.rest == nullptr || words.empty() || words.front() != p.app->get_name() || end == words.end()) continue;
      p.rest->assign(end + 1, words.end());
      words.erase(end, words.end());
    }
    std::ranges::reverse(words); // as CLI11 wants them
    app_.parse(std::move(words));
  }

  int exit(const CLI::Success& help) { return app_.exit(help); }

  int run() const {
    for (const Parsed& p : parsed_)
      if (p.app->parsed()) return p.run();
    return kUsage;
  }

private:
  struct Parsed {
    CLI::App* app;
    Run run;
    std::vector<std::string>* rest;
  };

  CLI::App app_{
      "skincells computes skinning weights: it reads a mesh with a skeleton and writes the same file, skinned.",
      "skincells"};
  std::vector<Parsed> parsed_;
};

Result<void> checkWords(std::span<const Command> commands, const std::vector<std::string>& words) {
  try {
    CommandLine(commands).parse(words);
  } catch (const CLI::ParseError& error) {
    return Error{ErrorCode::InvalidOption, error.what(), words.front()};
  }
  return {};
}

int runCommandLine(std::span<const Command> commands, int argc, char** argv) {
  const auto isCommand = [&](std::string_view word) {
    return std::ranges::any_of(commands, [&](const Command& c) { return word == c.name; });
  };
  if (argc > 1 && argv[1][0] != '-' && !isCommand(argv[1]))
    return failUsage("there is no command '" + std::string(argv[1]) + "'", argc, argv);
  CommandLine line(commands);
  try {
    line.parse(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const CLI::Success& help) {
    return line.exit(help);
  } catch (const CLI::ParseError& error) {
    return failUsage(error.what(), argc, argv);
  }
  return line.run();
}

} // namespace skincells::cli
