// What all commands share: options from tables, output, exit codes.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "skincells/options.h"
#include "skincells/report.h"
#include "skincells/result.h"

namespace skincells::cli {

// Exit codes of the program (docs/exit-codes.md).
enum ExitCode {
  kDone = 0,
  kUsage = 1,
  kInvalidInput = 2,
  kUnsupported = 3,
  kCannotWrite = 4,
  kGateFailed = 5,
  kBatchFailed = 6,
  kInternal = 70,
};
int exitCodeOf(ErrorCode code);

// Flags that every command has.
struct CommonOptions {
  bool quiet = false;
  bool json = false;
  std::string report;
  int threads = 0;
};
void addCommonOptions(CLI::App& app, CommonOptions& options);

// Flags of commands that write one page or picture and print no document.
struct OutputOptions {
  std::string output;
  bool force = false;
  bool quiet = false;
  int threads = 0;
};
// Returns -o, whose help is `where`, for what is special about it.
CLI::Option* addOutputOptions(CLI::App& app, OutputOptions& options, const std::string& where);

// Adds an option of a table, which must outlive the app, as a flag that writes into `values`.
template <class T> void addOption(CLI::App& app, const Option<T>& option, T& values) {
  const auto set = [&option, &values](const std::string& text) {
    if (auto r = option.set(values, text); !r) throw CLI::ValidationError(r.error().text());
  };
  const std::string name = "--" + option.name;
  const std::string group = option.group.empty() ? "Options" : option.group;
  if (option.kind == OptionKind::Flag) {
    app.add_flag_function(
           name, [set](std::int64_t) { set("true"); }, option.help + " [default: off]")
        ->group(group);
    return;
  }
  std::string help = option.help;
  const std::string fallback = option.default_text.empty() ? "none" : option.default_text;
  help += " [" + (option.range.empty() ? "" : option.range + "; ") + "default: " + fallback + "]";
  app.add_option_function<std::string>(name, set, help)->group(group);
}

// The same for every option of a table.
template <class T> void addOptions(CLI::App& app, const OptionTable<T>& table, T& values) {
  for (const Option<T>& option : table) addOption(app, option, values);
}

// Prints an error where the caller looks for it (stderr; with --json also as the document on stdout) and returns
// the exit code.
int fail(const Error& error, const CommonOptions& options);
// Prints a document as the options ask and writes the report file; returns `code`, or the code of a failed write.
int finish(const Document& document, const CommonOptions& options, int code = kDone);

// Reads a file and others after it, in order; the first error stops.
Result<std::vector<CharacterFile>> readAll(const std::string& first, const std::vector<std::string>& others,
                                           const ReadOptions& options = {});
std::vector<const CharacterFile*> pointersBehindFirst(const std::vector<CharacterFile>& files);

// A command: sets up its options on `app` and returns the function that runs it.
using Run = std::function<int()>;
Run setUpApply(CLI::App& app);
Run setUpBind(CLI::App& app);
Run setUpCheck(CLI::App& app);
Run setUpCompare(CLI::App& app);
Run setUpInspect(CLI::App& app);
Run setUpLod(CLI::App& app);
Run setUpPose(CLI::App& app);
Run setUpRender(CLI::App& app);
Run setUpReport(CLI::App& app);
Run setUpTransfer(CLI::App& app);
Run setUpView(CLI::App& app);

} // namespace skincells::cli
