#include "command_line.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace skincells::cli {

int exitCodeOf(ErrorCode code) {
  switch (code) {
  case ErrorCode::InvalidOption:
    return kUsage;
  case ErrorCode::UnsupportedFeature:
    return kUnsupported;
  case ErrorCode::CannotWrite:
    return kCannotWrite;
  case ErrorCode::Cancelled:
    return kInternal;
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

void addRunOptions(CLI::App& app, CommonOptions& options) {
  app.add_flag("--quiet", options.quiet, "print errors only [default: off]");
  app.add_option("--threads", options.threads,
                 "threads to use; results do not depend on it [0 .. 1024; default: 0, all]")
      ->check(CLI::Range(0, 1024));
}

CLI::Option* addOutputOptions(CLI::App& app, OutputOptions& options, CommonOptions& common, const std::string& where) {
  CLI::Option* output = app.add_option("-o,--output", options.output, where);
  app.add_flag("--force", options.force, "replace an existing output file [default: off]");
  addRunOptions(app, common);
  return output;
}

void addCommonOptions(CLI::App& app, CommonOptions& options) {
  app.add_option("--report", options.report,
                 "also write the result as a JSON file (schema: docs/report.schema.json) [a file; default: none]");
  app.add_flag("--json", options.json, "print one JSON document on stdout and nothing else there [default: off]");
  addRunOptions(app, options);
}

void addSkinningOptions(CLI::App& app, SkinningOptions& options) {
  addOptions(app, readOptionTable(), options.read);
  addOptions(app, writeOptionTable(), options.write);
  addCommonOptions(app, options.common);
}

namespace {

// Also for files that do not exist yet.
bool sameFile(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code error;
  return fs::equivalent(a, b, error) ||
         fs::absolute(a, error).lexically_normal() == fs::absolute(b, error).lexically_normal();
}

} // namespace

Result<void> checkFileNames(const FileNames& names) {
  for (auto output = names.outputs.begin(); output != names.outputs.end(); ++output) {
    const auto isThis = [&](const std::string& other) { return !other.empty() && sameFile(other, *output); };
    if (output->empty()) continue;
    if (std::ranges::any_of(names.inputs, isThis))
      return Error{ErrorCode::CannotWrite, "is the input itself, which is never changed; choose another name", *output};
    if (std::any_of(names.outputs.begin(), output, isThis))
      return Error{ErrorCode::CannotWrite, "is named for two outputs; give each a name of its own", *output};
  }
  return {};
}

int fail(const Error& error, const CommonOptions& options) {
  std::fprintf(stderr, "skincells: %s\n", error.text().c_str());
  if (options.json) std::fputs(errorJson(error).c_str(), stdout);
  return exitCodeOf(error.code);
}

int finish(const Document& document, const CommonOptions& options, int code) {
  if (!options.report.empty())
    if (auto r = writeReport(options.report, document.json); !r) return fail(r.error(), options);
  if (options.json)
    std::fputs(document.json.c_str(), stdout);
  else if (!options.quiet)
    std::fputs(document.text.c_str(), stdout);
  return code;
}

Result<std::vector<CharacterFile>> readAll(const std::string& first, const std::vector<std::string>& others,
                                           const ReadOptions& options) {
  std::vector<std::string> paths{first};
  paths.insert(paths.end(), others.begin(), others.end());
  std::vector<CharacterFile> files;
  for (const std::string& path : paths) {
    auto file = CharacterFile::read(path, options);
    if (!file) return std::move(file).error();
    files.push_back(std::move(*file));
  }
  return files;
}

FileNames SkinsOptions::files() const {
  FileNames names{others, {output}};
  names.inputs.push_back(input);
  return names;
}

std::vector<const CharacterFile*> pointersBehindFirst(const std::vector<CharacterFile>& files) {
  std::vector<const CharacterFile*> pointers;
  for (std::size_t i = 1; i < files.size(); ++i) pointers.push_back(&files[i]);
  return pointers;
}

} // namespace skincells::cli
