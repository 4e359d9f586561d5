#include "io/foreign_import.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/read_file.h"
#include "io/child_process.h"
#include "io/temporaries.h"

#ifndef SKINCELLS_LIBEXEC_DIR
#error "SKINCELLS_LIBEXEC_DIR must name the folder that the import program is installed to"
#endif

namespace fs = std::filesystem;

namespace skincells::io {
namespace {

constexpr const char* kProgram = "skincells-import";
constexpr const char* kProgramVariable = "SKINCELLS_IMPORTER";
constexpr const char* kAdvice = "; open the file in Blender and export it as glTF";
constexpr std::size_t kMaxMessage = 4000; // characters of the import program's output that go into an error
constexpr const char *kOutput = "out.glb", *kReport = "report"; // files in the temporary folder
constexpr std::string_view kErrorTag = "error\t", kFileTag = "file\t";

constexpr std::string_view kExtensions[] = {".fbx", ".dae", ".obj", ".ply", ".stl", ".off", ".3ds", ".x"};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

std::string lowerCase(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool isProgram(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// The file that this code was loaded from: a shared library, or the running program.
fs::path ownFile() {
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<const void*>(&lowerCase), &info) != 0 && info.dli_fname != nullptr;
  std::error_code error;
  return found ? fs::canonical(info.dli_fname, error) : fs::path();
}

// From the best place to the last.
std::vector<fs::path> candidatesForProgram() {
  std::vector<fs::path> candidates;
  std::error_code error;
  for (const fs::path& file : {ownFile(), fs::read_symlink("/proc/self/exe", error)}) {
    if (file.empty()) continue;
    const fs::path folder = file.parent_path();
    candidates.insert(candidates.end(), {folder / kProgram, folder / "../libexec/skincells" / kProgram});
  }
  candidates.push_back(fs::path(SKINCELLS_LIBEXEC_DIR) / kProgram);
  return candidates;
}

Result<std::string> findProgram() {
  if (const char* set = std::getenv(kProgramVariable); set != nullptr && *set != '\0') {
    if (isProgram(set)) return std::string(set);
    return Error{ErrorCode::UnsupportedFeature,
                 std::string("the environment variable ") + kProgramVariable + " names '" + set +
                     "', which is not an executable program",
                 kProgramVariable};
  }
  for (const fs::path& candidate : candidatesForProgram())
    if (isProgram(candidate)) return candidate.string();
  return Error{ErrorCode::UnsupportedFeature,
               std::string("reading this format needs the program ") + kProgram +
                   ", which is not installed; install it, set " + kProgramVariable +
                   " to its path, or convert the file to glTF",
               kProgram};
}

// A temporary folder that only this user can read.
class PrivateFolder {
public:
  PrivateFolder() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error) return;
    const fs::path path = fs::absolute(parent, error) / ("skincells-import-" + unpredictableName());
    const TemporarySection section;
    if (!section) return;
    TemporarySection::addFolder(path.string());
    for (const char* name : {kOutput, kReport}) TemporarySection::add((path / name).string());
    if (mkdir(path.c_str(), 0700) == 0)
      folder_ = path;
    else
      forget(path);
  }
  ~PrivateFolder() {
    if (folder_.empty()) return;
    const TemporarySection section;
    if (!section) return; // removeTemporaries does it
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    forget(folder_);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  bool exists() const { return !folder_.empty(); }
  std::string file(const char* name) const { return (folder_ / name).string(); }

private:
  static void forget(const fs::path& folder) {
    for (const char* name : {kOutput, kReport}) TemporarySection::forget((folder / name).string());
    TemporarySection::forget(folder.string());
  }

  fs::path folder_;
};

// The output of the import program on standard error. Lines without a known tag are ignored.
struct Report {
  Warnings warnings;
  std::vector<std::string> resources;
  std::string message;
};

Report readReport(const std::string& path) {
  Report report;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line) && report.message.size() < kMaxMessage;) {
    std::istringstream fields(line);
    std::string tag, code, where, message;
    if (std::getline(fields, tag, '\t') && tag == "warning" && std::getline(fields, code, '\t') &&
        std::getline(fields, where, '\t') && std::getline(fields, message))
      report.warnings.push_back({code, message, where});
    else if (line.starts_with(kErrorTag))
      report.message += (report.message.empty() ? "" : "; ") + line.substr(kErrorTag.size());
    else if (line.starts_with(kFileTag))
      report.resources.push_back(line.substr(kFileTag.size()));
  }
  report.message.resize(std::min(report.message.size(), kMaxMessage));
  return report;
}

std::string describe(const ChildOutcome& outcome, const ForeignImportLimits& limits) {
  std::ostringstream text;
  switch (outcome.kind) {
  case ChildOutcome::Kind::Exited:
    text << "the import program could not read the file";
    break;
  case ChildOutcome::Kind::Killed:
    text << "the import program crashed on this file (signal " << outcome.value << ", " << strsignal(outcome.value)
         << ")";
    break;
  case ChildOutcome::Kind::TimedOut:
    text << "the import took longer than " << limits.wall_seconds << " seconds and was stopped";
    break;
  case ChildOutcome::Kind::OverMemory:
  case ChildOutcome::Kind::Stopped:
    text << "the import was stopped";
    break;
  case ChildOutcome::Kind::NotStarted:
    text << "the import program could not be started (" << std::strerror(outcome.value) << ")";
    break;
  }
  return text.str();
}

struct Attempt {
  ChildOutcome outcome;
  Report report;
  bool succeeded() const { return outcome.kind == ChildOutcome::Kind::Exited && outcome.value == 0; }
  // A timeout is not worth a second wait, and a program that does not start will not start later.
  bool worthRetrying() const {
    return outcome.kind == ChildOutcome::Kind::Killed || outcome.kind == ChildOutcome::Kind::Exited;
  }
};

class ForeignImport {
public:
  ForeignImport(std::string program, const std::string& path, const ForeignImportLimits& limits)
      : program_(std::move(program)), path_(path), limits_(limits) {}

  Result<ForeignFile> run(Warnings& warnings) {
    if (!folder_.exists())
      return Error{ErrorCode::CannotWrite, "cannot create a temporary folder; check TMPDIR and free space", path_};
    const Attempt first = attempt({});
    if (first.succeeded()) return output(first, warnings);
    if (!first.worthRetrying()) return failure(first);
    const Attempt second = attempt({"--no-animations"});
    if (!second.succeeded()) return failure(second);
    warnings.push_back({"import.animations_dropped",
                        describe(first.outcome, limits_) + "; the file was read without its animations", path_});
    return output(second, warnings);
  }

private:
  Attempt attempt(const std::vector<std::string>& flags) {
    // A path that starts with '-' must not be taken for a flag.
    const std::string input = path_.front() == '-' ? "./" + path_ : path_;
    std::vector<std::string> arguments{input, folder_.file(kOutput)};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    ChildLimits limits;
    limits.wall_seconds = limits_.wall_seconds;
    limits.cpu_seconds = limits_.cpu_seconds;
    limits.address_space = kSanitized ? 0 : limits_.address_space;
    limits.file_bytes = limits_.output_bytes;
    const ChildOutcome outcome = runChild({program_, arguments, folder_.file(kReport)}, limits);
    return {outcome, readReport(folder_.file(kReport))};
  }

  Result<ForeignFile> output(const Attempt& attempt, Warnings& warnings) const {
    auto bytes = readFile(folder_.file(kOutput));
    if (!bytes || bytes->empty())
      return Error{ErrorCode::ImportFailed, "the import program wrote nothing; its installation is broken", path_};
    for (const Warning& w : attempt.report.warnings) warnings.push_back(w);
    return ForeignFile{std::move(*bytes), attempt.report.resources};
  }

  Error failure(const Attempt& attempt) const {
    std::string message = describe(attempt.outcome, limits_);
    if (!attempt.report.message.empty()) message += ": " + attempt.report.message;
    return {ErrorCode::ImportFailed, message + kAdvice, path_};
  }

  std::string program_;
  std::string path_;
  ForeignImportLimits limits_;
  PrivateFolder folder_;
};

} // namespace

std::span<const std::string_view> foreignExtensions() {
  return kExtensions;
}

bool isForeignExtension(std::string_view extension) {
  std::string wanted = lowerCase(extension);
  if (wanted.empty() || wanted.front() != '.') wanted.insert(wanted.begin(), '.');
  return std::find(std::begin(kExtensions), std::end(kExtensions), wanted) != std::end(kExtensions);
}

std::string foreignExtensionList() {
  std::string list;
  for (std::string_view extension : kExtensions) list.append(list.empty() ? "" : ", ").append(extension);
  return list;
}

Result<ForeignFile> importForeign(const std::string& path, Warnings& warnings, const ForeignImportLimits& limits) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || access(path.c_str(), R_OK) != 0)
    return Error{ErrorCode::FileNotFound, "no such file, or it is not a regular file that can be read", path};
  auto program = findProgram();
  if (!program) return std::move(program).error();
  return ForeignImport(*std::move(program), path, limits).run(warnings);
}

} // namespace skincells::io
