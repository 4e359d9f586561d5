// What all commands share: options from tables, output, exit codes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "skincells/options.h"
#include "skincells/report.h"
#include "skincells/result.h"
#include "skincells/threads.h"

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

// Flags that commands share.
struct CommonOptions {
  bool quiet = false;
  bool json = false;
  std::string report;
  int threads = 0;

  bool silent() const { return quiet || json; } // no progress
  bool wantsDocument() const { return json || !report.empty(); }
};
void addRunOptions(CLI::App& app, CommonOptions& options);    // --quiet and --threads
void addCommonOptions(CLI::App& app, CommonOptions& options); // all of them

// Where commands write one page or picture, and print no document.
struct OutputOptions {
  std::string output;
  bool force = false;
};
// Also adds --quiet and --threads. Returns -o, whose help is `where`, for what is special about it.
CLI::Option* addOutputOptions(CLI::App& app, OutputOptions& options, CommonOptions& common, const std::string& where);

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

// The files that a command names; empty ones are not there.
struct FileNames {
  std::vector<std::string> inputs, outputs;
};
// Refuses an output that is an input or another output, before one of them is lost.
Result<void> checkFileNames(const FileNames& names);

// Prints an error where the caller looks for it (stderr; with --json also as the document on stdout) and returns
// the exit code.
int fail(const Error& error, const CommonOptions& options);
// Prints a document as the options ask and writes the report file; returns `code`, or the code of a failed write.
int finish(const Document& document, const CommonOptions& options, int code = kDone);

// Reads a file and others after it, in order; the first error stops.
Result<std::vector<CharacterFile>> readAll(const std::string& first, const std::vector<std::string>& others,
                                           const ReadOptions& options = {});
std::vector<const CharacterFile*> pointersBehindFirst(const std::vector<CharacterFile>& files);

// What commands that read a character and write a skinned one share.
struct SkinningOptions {
  CommonOptions common;
  ReadOptions read;
  WriteOptions write;
  std::string output;

  // For the summary of the result; how a field was written is left to fill in.
  WrittenSkin written() const { return {write, output, {}, common.wantsDocument()}; }
};
void addSkinningOptions(CLI::App& app, SkinningOptions& options); // all but the output, whose help differs

// What commands that look at a skin, and at others of the same mesh beside it, share.
struct SkinsOptions : OutputOptions {
  CommonOptions common;
  std::string input;
  std::vector<std::string> others;

  FileNames files() const;
  Result<std::vector<CharacterFile>> read() const { return readAll(input, others); }
};

// What a command leaves: something to print, and the exit code.
struct Outcome {
  Document document;
  int code = kDone;
};

// A command: sets up its options on `app` and returns the function that runs it.
using Run = std::function<int()>;

// Runs a command with the threads asked for and prints what comes of it, or the error. The state has to have `common`
// and `files()`. Outputs that must not or a report that cannot be written are noticed before any work is done.
template <class State> Run runner(std::shared_ptr<const State> state, Result<Outcome> (*work)(const State&)) {
  return [state = std::move(state), work] {
    const ThreadLimit threads(state->common.threads);
    FileNames names = state->files();
    names.outputs.push_back(state->common.report);
    if (auto apart = checkFileNames(names); !apart) return fail(apart.error(), state->common);
    if (auto writable = checkReportPath(state->common.report); !writable) return fail(writable.error(), state->common);
    auto outcome = work(*state);
    if (!outcome) return fail(outcome.error(), state->common);
    return finish(outcome->document, state->common, outcome->code);
  };
}

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
