#include "batch/worker.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/read_file.h"
#include "base/try.h"
#include "batch/hashes.h"
#include "io/child_process.h"
#include "text/printable.h"
#include "text/split.h"
#include "text/table.h"

namespace fs = std::filesystem;

namespace skincells::batch {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using io::ChildOutcome;

constexpr CommandTraits kCommands[] = {
    {"bind", Writes::Character}, {"apply", Writes::Character}, {"transfer", Writes::Character},
    {"lod", Writes::Character},  {"pose", Writes::Posed},      {"render", Writes::Picture},
    {"report", Writes::Page},    {"check", Writes::Nothing},   {"inspect", Writes::Nothing},
};
constexpr int kCannotWrite = 4, kGateFailed = 5; // exit codes
constexpr std::uintmax_t kMostErrorText = 2000;  // bytes of a worker's messages that are kept
constexpr const char* kSameShape = "--same-shape";
constexpr const char *kReport = "report.json", *kThumbnail = "thumbnail.png", *kPage = "report.html",
                     *kView = "viewer.html";

struct StepResult {
  ChildOutcome outcome;
  std::string error, message; // empty if it succeeded
};

std::string firstBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(kMostErrorText, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

// The last line of what a worker printed: the error.
std::string lastLine(const std::string& text) {
  const auto lines = text::splitNonEmpty(text, '\n');
  return lines.empty() ? std::string() : text::printable(lines.back());
}

// An empty object if the file holds none.
Json jsonIn(const std::string& path) {
  const auto bytes = readFile(path);
  Json json = bytes ? Json::parse(bytes->begin(), bytes->end(), nullptr, false) : Json();
  return json.is_object() ? json : Json::object();
}

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// The processes of one item, in a folder of their own.
class ItemRun {
public:
  ItemRun(const Work& work, const BatchItem& item, std::string folder)
      : work_(work), item_(item), folder_(std::move(folder)), outputs_(folder_ + "/out") {}

  // False if the run was stopped.
  bool run(BatchLine& line) {
    const auto start = Clock::now();
    deadline_ =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(work_.options.time_limit));
    const CommandTraits& traits = *findCommand(work_.command.front());
    const bool is_bind = std::string_view(traits.name) == "bind";
    const std::vector<std::string> words = withOptions(work_.command, item_.options);
    // Sharing must not cost a verdict: what is not good with it is bound alone, and what has no field without one.
    for (const std::vector<std::string>& more : attempts(words)) {
      if (!runMain(withFiles(withOptions(words, more), traits, is_bind), line)) return false;
      const bool is_shared = !more.empty() && more.front().starts_with("--start=");
      if (line.is_done && (!is_shared || line.verdict == "good")) break;
    }
    if (line.is_done && !addPictures(traits, is_bind, line)) return false;
    line.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return true;
  }

  const std::string& outputs() const { return outputs_; }

private:
  // More options of the command, for each attempt until one succeeds: what the item takes from others and does for
  // them, last nothing.
  std::vector<std::vector<std::string>> attempts(const std::vector<std::string>& words) const {
    const std::string field = std::string("--field=") + kFieldOfLeader;
    std::vector<std::vector<std::string>> out;
    if (!item_.start.empty()) {
      out.push_back({"--start=" + item_.start});
      if (item_.same_shape) out.back().emplace_back(kSameShape);
      // Ranges from clips, which not every file with this skeleton has. Others are the same for all of them anyway.
      const std::string ranges = "--rom=" + (fs::path(item_.start).parent_path() / kReport).string();
      if (givesRanges(words, "clips") || givesRanges(words, "auto")) out.back().push_back(ranges);
      if (item_.leads) out.back().push_back(field);
    }
    if (item_.leads) out.push_back({field});
    out.emplace_back();
    return out;
  }

  static bool givesRanges(const std::vector<std::string>& words, const std::string& source) {
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i] == "--rom=" + source || (words[i] == "--rom" && i + 1 < words.size() && words[i + 1] == source))
        return true;
    return false;
  }

  std::vector<std::string> withFiles(std::vector<std::string> words, const CommandTraits& traits, bool is_bind) const {
    words.push_back(item_.input);
    if (traits.writes != Writes::Nothing) words.insert(words.end(), {"-o", outputName(traits.writes)});
    if (is_bind && work_.options.pages) words.insert(words.end(), {"--report-page", kPage});
    if (is_bind && work_.options.views) words.insert(words.end(), {"--view", kView});
    words.push_back("--json");
    return words;
  }

  // Runs the command itself. False if the run was stopped.
  bool runMain(const std::vector<std::string>& words, BatchLine& line) {
    clearOutputs();
    const StepResult result = step(words, outputs_ + "/" + kReport, line);
    if (result.outcome.kind == ChildOutcome::Kind::Stopped) return false;
    line.error = result.error;
    line.message = result.message;
    line.is_done = result.error.empty();
    line.warnings.clear();
    line.verdict.clear();
    line.reason.clear();
    if (line.is_done || line.error == "quality_gate") readReport(line);
    return true;
  }

  // An attempt before may have left some.
  void clearOutputs() const {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(outputs_, ignored))
      fs::remove_all(entry.path(), ignored);
  }

  std::string outputName(Writes writes) const {
    if (writes == Writes::Page) return kPage;
    const std::string stem = fs::path(item_.name).filename().string();
    if (writes == Writes::Picture) return stem + ".png";
    const std::string extension = fs::path(item_.input).extension().string();
    for (const char* kept : {".glb", ".gltf", ".vrm", ".ply"})
      if (extension == kept) return stem + kept;
    return stem + ".glb";
  }

  // Pictures and pages of the result. One that cannot be made is a warning, unless there is no room for it. False if
  // the run was stopped.
  bool addPictures(const CommandTraits& traits, bool is_bind, BatchLine& line) {
    const bool is_new = traits.writes == Writes::Character;
    const std::string character = is_new ? outputName(traits.writes) : item_.input;
    if (traits.writes == Writes::Posed || (is_new && character.ends_with(".ply"))) return true;
    std::vector<std::vector<std::string>> steps;
    if (work_.options.thumbnails)
      steps.push_back({"render", character, "-o", kThumbnail, "--poses", "worst", "--count", "1", "--size", "160",
                       "--views", "three-quarter"});
    if (work_.options.pages && !is_bind && traits.writes != Writes::Page)
      steps.push_back({"report", character, "-o", kPage});
    if (work_.options.views && !is_bind) steps.push_back({"view", character, "-o", kView, "--no-open"});
    const std::string document = folder_ + "/picture.json";
    for (std::vector<std::string>& words : steps) {
      words.push_back("--json");
      const StepResult result = step(words, document, line);
      if (result.outcome.kind == ChildOutcome::Kind::Stopped) return false;
      if (result.error == errorName(ErrorCode::CannotWrite)) {
        line.error = result.error;
        line.message = result.message;
        return true;
      }
      if (!result.error.empty()) line.warnings.push_back("batch." + words.front() + "_failed");
      if (result.error.empty() && words.front() == "render") line.worst_pose = worstPoseIn(document);
    }
    return true;
  }

  // The caption of a picture; empty for one in the bind pose, of what has no skin.
  static std::string worstPoseIn(const std::string& document) {
    const Json captions = jsonIn(document).value("captions", Json::array());
    const bool has_text = captions.is_array() && !captions.empty() && captions.front().is_string();
    const std::string caption = has_text ? captions.front().get<std::string>() : std::string();
    return caption.find("stretch") == std::string::npos ? std::string() : caption;
  }

  StepResult step(std::vector<std::string> words, const std::string& output, BatchLine& line) {
    words.insert(words.end(), {"--threads", std::to_string(work_.options.threads)});
    const std::string errors = folder_ + "/stderr";
    io::ChildLimits limits;
    limits.stop = work_.stop;
    limits.resident_bytes = static_cast<std::uint64_t>(work_.options.memory_limit) << 20U;
    if (work_.options.time_limit > 0)
      limits.wall_seconds = std::max(1e-3, std::chrono::duration<double>(deadline_ - Clock::now()).count());
    StepResult result{io::runChild({work_.program, words, errors, output, outputs_}, limits), {}, {}};
    line.cpu_seconds += result.outcome.cpu_seconds;
    line.memory_mb = std::max(line.memory_mb, static_cast<double>(result.outcome.peak_bytes) / (1U << 20U));
    explain(result, output, firstBytes(errors));
    return result;
  }

  // Why a process did not succeed, as a code and for people.
  void explain(StepResult& result, const std::string& output, const std::string& printed) const {
    const ChildOutcome& outcome = result.outcome;
    switch (outcome.kind) {
    case ChildOutcome::Kind::Exited:
      if (outcome.value != 0) explainExit(result, output, printed);
      return;
    case ChildOutcome::Kind::Killed:
      result.error = "crash";
      result.message = "the worker was ended by signal " + std::to_string(outcome.value) + " (" +
                       strsignal(outcome.value) + ")" +
                       (outcome.value == SIGKILL ? "; is the machine out of memory?" : "; please report this file");
      return;
    case ChildOutcome::Kind::TimedOut:
      result.error = "time_limit";
      result.message = "took longer than " + text::significant(work_.options.time_limit, 6) +
                       " s and was stopped; raise --time-limit";
      return;
    case ChildOutcome::Kind::OverMemory:
      result.error = "memory_limit";
      result.message = "used more than " + std::to_string(work_.options.memory_limit) +
                       " MB and was stopped; raise --memory-limit, or simplify the mesh";
      return;
    case ChildOutcome::Kind::Stopped:
      result.error = "stopped";
      return;
    case ChildOutcome::Kind::NotStarted:
      result.error = "not_started";
      result.message = std::string("the worker could not be started (") + std::strerror(outcome.value) + ")";
      return;
    }
  }

  static void explainExit(StepResult& result, const std::string& output, const std::string& printed) {
    result.message = lastLine(printed);
    if (result.outcome.value == kGateFailed) {
      result.error = "quality_gate";
      return;
    }
    // With a full disk, the document with the error could not be written either.
    result.error = result.outcome.value == kCannotWrite ? errorName(ErrorCode::CannotWrite) : "internal";
    const Json json = jsonIn(output);
    if (!json.contains("error") || !json["error"].is_object()) return;
    result.error = json["error"].value("code", "internal");
    const std::string where = json["error"].value("where", ""), message = json["error"].value("message", "");
    result.message = text::printable(where.empty() ? message : where + ": " + message);
  }

  // Verdict and warnings of the result.
  void readReport(BatchLine& line) const {
    const Json json = jsonIn(outputs_ + "/" + kReport);
    for (const char* list : {"warnings", "defects"})
      if (const auto found = json.find(list); found != json.end() && found->is_array())
        for (const Json& entry : *found)
          if (entry.is_object() && entry.value("severity", "warning") != "note")
            line.warnings.push_back(entry.value("code", ""));
    const auto verdict = json.find("verdict");
    if (verdict == json.end() || !verdict->is_object()) return;
    line.verdict = verdict->value("grade", "");
    const auto findings = verdict->find("findings");
    if (line.verdict == "good" || findings == verdict->end() || !findings->is_array()) return;
    for (const Json& finding : *findings) {
      if (!finding.is_object() || finding.value("grade", "") != line.verdict) continue;
      const std::string where = finding.value("where", "");
      line.reason = finding.value("measure", "") + " " + text::significant(finding.value("value", 0.0), 3) +
                    (where.empty() ? "" : " (" + where + ")");
      return;
    }
  }

  const Work& work_;
  const BatchItem& item_;
  std::string folder_, outputs_;
  Clock::time_point deadline_;
};

Error cannotStore(const std::string& path, const std::error_code& error) {
  return {ErrorCode::CannotWrite, "cannot be written (" + error.message() + "); is the disk full?", path};
}

// Puts the folder in the place of another one, which vanishes, in one step: a reader sees all old files or all new
// ones.
Result<void> replaceFolder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
#ifdef __linux__
  if ((errno == ENOTEMPTY || errno == EEXIST) &&
      ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0) {
    fs::remove_all(from, error);
    return {};
  }
#endif
  // A file system that cannot exchange names: the old files go first.
  fs::remove_all(to, error);
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  return cannotStore(to.string(), std::error_code(errno, std::generic_category()));
}

// Removes the folder of an item, and the folders above it that are empty then.
void removeItem(const fs::path& items, const std::string& name) {
  std::error_code ignored;
  fs::remove_all(items / name, ignored);
  for (fs::path above = (items / name).parent_path(); above != items && fs::remove(above, ignored);)
    above = above.parent_path();
}

} // namespace

const CommandTraits* findCommand(const std::string& name) {
  const auto found = std::ranges::find(kCommands, name, &CommandTraits::name);
  return found == std::end(kCommands) ? nullptr : &*found;
}

std::string commandHash(const Work& work) {
  std::vector<std::string> words = work.command;
  if (work.options.thumbnails) words.emplace_back(kThumbnail);
  if (work.options.pages) words.emplace_back(kPage);
  if (work.options.views) words.emplace_back(kView);
  return wordsHash(words);
}

std::string optionsHash(const Work& work, const BatchItem& item) {
  if (item.options.empty() && !item.leads && item.start.empty()) return work.command_hash;
  std::vector<std::string> words = item.options;
  if (item.leads) words.emplace_back(kFieldOfLeader);
  if (!item.start.empty()) words.push_back("--start=" + item.start);
  if (item.same_shape) words.emplace_back(kSameShape);
  words.push_back(work.command_hash);
  return wordsHash(words);
}

Result<std::optional<BatchLine>> runItem(const Work& work, const BatchItem& item, int slot) {
  BatchLine line;
  line.item = item.name;
  line.input = item.input;
  line.input_sha256 = inputHash(item.input);
  line.options_sha256 = optionsHash(work, item);
  line.version = work.version;
  const fs::path folder = fs::path(work.work_folder) / std::to_string(slot);
  std::error_code error;
  fs::remove_all(folder, error);
  if (!fs::create_directories(folder / "out", error)) return cannotStore(folder.string(), error);
  ItemRun run(work, item, folder.string());
  if (!run.run(line)) {
    fs::remove_all(folder, error);
    return std::optional<BatchLine>();
  }
  // Not a matter of this item. On a full disk, there is no room for a message either.
  if (line.error == errorName(ErrorCode::CannotWrite))
    return Error{ErrorCode::CannotWrite,
                 line.message.empty() ? "the results of an item cannot be written; is the disk full?" : line.message,
                 work.work_folder};
  if (line.is_done || line.error == "quality_gate") {
    SKINCELLS_TRY(files, filesIn(run.outputs()));
    line.outputs = std::move(files);
    SKINCELLS_CHECK(replaceFolder(run.outputs(), fs::path(work.items_folder) / item.name));
  } else {
    removeItem(work.items_folder, item.name);
  }
  fs::remove_all(folder, error);
  line.finished = secondsNow();
  return std::optional(std::move(line));
}

} // namespace skincells::batch
