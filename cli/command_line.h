// The command line: which options a command has, and how its job is run and its result printed.
// Only command_line.cpp includes CLI11, whose header takes long to compile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "help.h"
#include "progress_bar.h"
#include "skincells/jobs/job_files.h"
#include "skincells/options.h"
#include "skincells/report.h"
#include "skincells/result.h"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace skincells::cli {

// Exit codes of the program (docs/exit-codes.md).
enum ExitCode {
  kDone = 0,
  kUsage = 1,
  kInvalidInput = 2,
  kUnsupported = 3,
  kCannotWrite = 4,
  kGateFailed = 5,
  kItemsFailed = 6,
  kStoppedEarly = 7,
  kInternal = 70,
};

// Flags that commands share.
struct CommonOptions {
  bool quiet = false;         // prints warnings and errors only
  bool without_words = false; // --silent: prints errors only
  bool json = false;
  bool force = false; // for commands whose only output is the report
  std::string report;
  int threads = 0;
  int memory_limit = 0; // megabytes

  bool silent() const { return quiet || without_words || json; } // no progress bar
  bool wantsDocument() const { return json || !report.empty(); }
};

// An option that was declared, for what is special about it.
class Declared {
public:
  Declared(CLI::Option* option, std::vector<HelpEntry>& entries)
      : option_(option), entries_(entries), at_(entries.size() - 1) {}
  const Declared& required() const;
  const Declared& excludes(const Declared& other) const;
  const Declared& needs(const Declared& other) const;

private:
  CLI::Option* option_;
  std::vector<HelpEntry>& entries_;
  std::size_t at_; // in entries_
};

// The options of a command. Values are written to the references when the command line is parsed.
class CommandOptions {
public:
  explicit CommandOptions(CLI::App& app) : app_(app) {}

  // name: "input" for a positional argument, "--field" or "-o,--output" for an option. word: what its value is, for the
  // help.
  Declared text(const std::string& name, std::string& value, const std::string& help, const std::string& word = "FILE");
  // A positional argument that takes all remaining words.
  Declared texts(const std::string& name, std::vector<std::string>& values, const std::string& help);
  // An option that may be given several times, with one value each.
  Declared repeated(const std::string& name, std::vector<std::string>& values, const std::string& help);
  Declared integer(const std::string& name, int& value, int lo, int hi, const std::string& help);
  Declared flag(const std::string& name, bool& value, const std::string& help);
  // All words after "--".
  void rest(std::vector<std::string>& words) { rest_ = &words; }

  // The options of a table, which must outlive the parsing, except those named in `without`.
  template <class T>
  void table(const OptionTable<T>& table, T& values, std::initializer_list<std::string_view> without = {}) {
    for (const Option<T>& option : table)
      if (std::find(without.begin(), without.end(), option.name) == without.end())
        entry(
            option, [&option, &values](const std::string& text) { return option.set(values, text); },
            [&option, &values] { return option.get(values); });
  }

  // --quiet, --threads and --memory-limit
  void run(CommonOptions& options);
  // --json-file, --json and --quiet
  void document(CommonOptions& options);
  // The same, --threads and --memory-limit
  void common(CommonOptions& options);
  // The same with --force, for commands that write nothing else.
  void reportOnly(CommonOptions& options);
  // --force and those of `common`, for commands that write a page or a picture.
  void page(bool& force, CommonOptions& options);

private:
  void quiet(CommonOptions& options);
  void threads(CommonOptions& options);
  void entry(const OptionInfo& info, std::function<Result<void>(const std::string&)> set,
             std::function<std::string()> current);

  friend class CommandLine;
  CLI::App& app_;
  std::vector<HelpEntry> entries_;
  std::vector<std::string>* rest_ = nullptr;
  std::string option_file_;
  bool print_options_ = false;
};

// What a command prints, and the exit code.
struct Printed {
  Document document;
  int code = kDone;
};

// Runs a command: checks the report path, does the work with the requested number of threads, commits its outputs and
// the report, and prints the result or the error. Returns the exit code.
int runCommand(const CommonOptions& common, const JobFiles& files,
               const std::function<Result<Printed>(OutputSet&)>& work);

using Run = std::function<int()>;

// The same function, which also asks the work to stop once the program was interrupted (askToStopOnSignals).
ProgressFunction stoppable(ProgressFunction progress);

// The values that the command line sets for a job.
template <class Job> struct JobCommand {
  CommonOptions common;
  Job job;
};

// The exit code of an outcome that needs no other.
struct AlwaysDone {
  template <class Outcome> int operator()(const Outcome&) const { return 0; }
};

// Runs the job with a progress bar and prints its document. code: the exit code of an outcome.
template <class Job, class Code = AlwaysDone>
Run runnerOf(std::shared_ptr<const JobCommand<Job>> command, Code code = {}) {
  return [command = std::move(command), code] {
    const CommonOptions& common = command->common;
    return runCommand(common, filesOf(command->job), [&](OutputSet& outputs) -> Result<Printed> {
      auto outcome = run(command->job, outputs, stoppable(progressBar(common.silent())));
      if (!outcome) return std::move(outcome).error();
      Printed printed{documentOf(*outcome, {.measure_shape = common.wantsDocument()})};
      printed.code = code(*outcome);
      return printed;
    });
  };
}

struct Command {
  const char* name;
  const char* help;
  Run (*set_up)(CommandOptions&); // declares the options and returns the function that runs the command
};

// Whether these words, without the name of the program, are a valid command line with one input, as in a batch.
Result<void> checkWords(std::span<const Command> commands, const std::vector<std::string>& words);

// The words with the options that a file of --options gives in the place of its name.
Result<std::vector<std::string>> withoutOptionFiles(std::span<const Command> commands, std::vector<std::string> words);

// Parses the command line, runs the command and returns the exit code.
int runCommandLine(std::span<const Command> commands, int argc, char** argv);

} // namespace skincells::cli
