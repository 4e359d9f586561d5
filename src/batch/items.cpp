#include "batch/items.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/try.h"
#include "text/glob.h"
#include "text/json_lint.h"
#include "text/printable.h"
#include "text/split.h"
#include "text/text_file.h"

namespace fs = std::filesystem;

namespace skincells {
namespace {

using Json = nlohmann::ordered_json;

// What a folder is searched for: formats that can hold a skeleton.
constexpr std::string_view kExtensions[] = {".glb", ".gltf", ".vrm", ".fbx", ".dae"};

std::string extensionOf(const fs::path& path) {
  std::string out = path.extension().string();
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool isHidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

// The path without its extension, as the name of an item.
std::string nameOf(fs::path path) {
  return text::printable(path.replace_extension().generic_string());
}

std::string absolutePath(const fs::path& path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal().string();
}

class Collector {
public:
  Collector(const BatchJob& job, std::vector<BatchItem>& items)
      : manifest_(job.manifest), output_(absolutePath(job.output)), items_(items) {}

  Result<void> add(const std::string& input) {
    std::error_code ignored;
    if (input == "-") return addManifest(manifest_, "standard input", "");
    if (fs::is_directory(input, ignored)) return addFolder(input);
    if (extensionOf(input) == ".jsonl") {
      SKINCELLS_TRY(text, text::readTextFile(input, {"manifest", "batch", ".jsonl files"}));
      return addManifest(text, input, fs::path(input).parent_path());
    }
    if (!fs::exists(input, ignored) && text::hasWildcard(input)) return addPattern(input);
    // A file that does not exist is an item that fails: it may be one of thousands.
    items_.push_back({nameOf(fs::path(input).filename()), absolutePath(input), {}});
    return {};
  }

private:
  // Hidden files, and what an earlier run has written below a folder of inputs.
  bool isPassedOver(const fs::path& path) const { return isHidden(path) || absolutePath(path) == output_; }

  Result<void> addFolder(const fs::path& folder) {
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, error), end;
    if (error) return Error{ErrorCode::FileNotFound, "cannot be listed (" + error.message() + ")", folder.string()};
    const std::size_t before = items_.size();
    for (; entry != end; entry.increment(error)) {
      if (isPassedOver(entry->path())) {
        entry.disable_recursion_pending();
        continue;
      }
      if (entry->is_regular_file(error) && std::ranges::count(kExtensions, extensionOf(entry->path())) > 0)
        items_.push_back({nameOf(entry->path().lexically_relative(folder)), absolutePath(entry->path()), {}});
    }
    if (error) return Error{ErrorCode::FileNotFound, "cannot be listed (" + error.message() + ")", folder.string()};
    if (items_.size() > before) return {};
    return Error{ErrorCode::FileNotFound, "has no character files (.glb, .gltf, .vrm, .fbx, .dae)", folder.string()};
  }

  // Wildcards match within one folder name or file name; "**" any number of folders.
  Result<void> addPattern(const std::string& pattern) {
    fs::path base;
    std::vector<std::string> parts;
    for (const fs::path& part : fs::path(pattern))
      if (parts.empty() && !text::hasWildcard(part.string()))
        base /= part;
      else
        parts.push_back(part.string());
    const std::size_t before = items_.size();
    match(base.empty() ? fs::path(".") : base, "", parts, 0);
    if (items_.size() > before) return {};
    return Error{ErrorCode::FileNotFound, "matches no file", pattern};
  }

  void match(const fs::path& folder, const fs::path& below, const std::vector<std::string>& parts, std::size_t at) {
    std::error_code error;
    if (parts[at] == "**" && at + 1 < parts.size()) match(folder, below, parts, at + 1);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      const std::string name = entry.path().filename().string();
      std::error_code ignored;
      const bool is_folder = entry.is_directory(ignored);
      if (isPassedOver(entry.path())) continue;
      if (parts[at] == "**") {
        if (is_folder) match(entry.path(), below / name, parts, at);
      } else if (text::globMatches(parts[at], name)) {
        if (is_folder && at + 1 < parts.size()) match(entry.path(), below / name, parts, at + 1);
        if (!is_folder && at + 1 == parts.size())
          items_.push_back({nameOf(below / name), absolutePath(entry.path()), {}});
      }
    }
  }

  Result<void> addManifest(std::string_view text, const std::string& where, const fs::path& folder) {
    std::size_t number = 0;
    for (const std::string_view part : text::split(text, '\n')) {
      ++number;
      if (part.empty()) continue;
      const std::string place = where + ", line " + std::to_string(number);
      SKINCELLS_CHECK(part.front() == '{' ? addEntry(part, place, folder) : addPath(std::string(part), folder));
    }
    return {};
  }

  Result<void> addPath(const std::string& path, const fs::path& folder) {
    items_.push_back({nameOf(fs::path(path).filename()), absolutePath(folder / path), {}});
    return {};
  }

  Result<void> addEntry(std::string_view text, const std::string& where, const fs::path& folder) {
    SKINCELLS_CHECK(text::checkJson(text, where));
    const Json json = Json::parse(text);
    const auto bad = [&](const std::string& what) { return Error{ErrorCode::InvalidFile, what, where}; };
    for (const auto& [key, value] : json.items())
      if (key != "input" && key != "name" && key != "options")
        return bad("unknown key \"" + key + "\"; an entry has \"input\", \"name\" and \"options\"");
    if (!json.contains("input") || !json["input"].is_string()) return bad("has no \"input\", the path of a file");
    const std::string input = json["input"];
    BatchItem item{nameOf(fs::path(input).filename()), absolutePath(folder / input), {}, where};
    if (json.contains("name")) {
      if (!json["name"].is_string()) return bad("\"name\" must be text");
      item.name = json["name"];
      if (!batch::isSafeName(item.name))
        return bad("\"name\" must be a path below a folder, without \"..\" and control characters");
    }
    if (json.contains("options")) {
      if (!json["options"].is_object()) return bad("\"options\" must be an object: {\"max-influences\": 8}");
      for (const auto& [key, value] : json["options"].items()) {
        if (value.is_boolean() && !value.get<bool>()) continue;
        if (!value.is_primitive() || value.is_null())
          return bad("option \"" + key + "\" must be text, a number, true or false");
        const std::string word = value.is_string() ? value.get<std::string>() : value.dump();
        item.options.push_back("--" + key + (value.is_boolean() ? "" : "=" + word));
      }
    }
    items_.push_back(std::move(item));
    return {};
  }

  const std::string& manifest_;
  const std::string output_;
  std::vector<BatchItem>& items_;
};

// Names that belong to several items, or whose folder would hold that of another item.
std::set<std::string> clashes(const std::vector<BatchItem>& items) {
  std::set<std::string> names, out;
  for (const BatchItem& item : items)
    if (!names.insert(item.name).second) out.insert(item.name);
  for (const std::string& name : names)
    for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1))
      if (names.contains(name.substr(0, at))) out.insert(name.substr(0, at));
  return out;
}

// Items whose names clash get their extension into the name: "hero_fbx".
void separate(std::vector<BatchItem>& items) {
  const std::set<std::string> taken = clashes(items);
  for (BatchItem& item : items) {
    if (!taken.contains(item.name)) continue;
    const std::string extension = extensionOf(item.input);
    item.name += "_" + (extension.empty() ? "file" : extension.substr(1));
  }
}

} // namespace

bool batch::isSafeName(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.back() == '/') return false;
  if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; })) return false;
  return std::ranges::none_of(text::split(name, '/'),
                              [](std::string_view part) { return part.empty() || part == "." || part == ".."; });
}

Result<std::vector<BatchItem>> batchItems(const BatchJob& job) {
  std::vector<BatchItem> items;
  Collector collector(job, items);
  for (const std::string& input : job.inputs) SKINCELLS_CHECK(collector.add(input));
  if (items.empty()) return Error{ErrorCode::FileNotFound, "there are no items", "batch"};
  std::ranges::sort(items, {}, [](const BatchItem& i) { return std::tie(i.name, i.input, i.options); });
  // A file that is found twice, e.g. by a folder and a pattern, is one item.
  const auto same = [](const BatchItem& a, const BatchItem& b) {
    return a.name == b.name && a.input == b.input && a.options == b.options;
  };
  items.erase(std::unique(items.begin(), items.end(), same), items.end());
  separate(items);
  std::ranges::sort(items, {}, &BatchItem::name);
  const std::string outputs = absolutePath(fs::path(job.output) / "items") + "/";
  const std::set<std::string> taken = clashes(items);
  for (const BatchItem& item : items) {
    if (item.input.starts_with(outputs))
      return Error{ErrorCode::CannotWrite, "is an output of this batch; choose another output folder", item.input};
    if (taken.contains(item.name))
      return Error{ErrorCode::InvalidFile,
                   "has the same name as another item, \"" + item.name +
                       "\"; name them in a manifest: {\"input\": ..., \"name\": ...}",
                   item.input};
  }
  return items;
}

std::vector<std::string> withOptions(std::vector<std::string> command, const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < command.size(); ++i) {
      if (command[i] == name && equals != std::string::npos)
        ++i; // with its value
      else if (command[i] != name && !command[i].starts_with(name + "="))
        kept.push_back(std::move(command[i]));
    }
    command = std::move(kept);
  }
  command.insert(command.end(), options.begin(), options.end());
  return command;
}

std::string batchManifest(const std::vector<BatchItem>& items) {
  std::string out;
  for (const BatchItem& item : items) {
    Json json{{"input", item.input}, {"name", item.name}};
    for (const std::string& word : item.options) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos)
        json["options"][word.substr(2)] = true;
      else
        json["options"][word.substr(2, equals - 2)] = word.substr(equals + 1);
    }
    out += json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  return out;
}

} // namespace skincells
