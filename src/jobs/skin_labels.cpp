#include "jobs/skin_labels.h"

#include <algorithm>
#include <filesystem>

#include "text/split.h"

namespace fs = std::filesystem;

namespace skincells::jobs {
namespace {

// The name of the file with some of the folders above it.
std::string nameWith(const std::string& path, int folders) {
  fs::path at = fs::path(path).lexically_normal();
  fs::path name = at.stem();
  for (int i = 0; i < folders && at.has_parent_path() && at.parent_path() != at; ++i) {
    at = at.parent_path();
    if (!at.filename().empty()) name = at.filename() / name;
  }
  return name.string();
}

} // namespace

Result<std::vector<std::string>> skinLabels(const std::vector<std::string>& paths, const std::string& given) {
  std::vector<std::string> labels;
  if (!given.empty()) {
    for (const std::string_view label : text::split(given, ',')) labels.emplace_back(label);
    if (labels.size() == paths.size()) return labels;
    return Error{ErrorCode::InvalidOption,
                 "there are " + std::to_string(paths.size()) + " skins; give one label for each, separated by commas",
                 "--labels"};
  }
  constexpr int kMostFolders = 8;
  for (const std::string& path : paths) {
    std::string label = nameWith(path, 0);
    // Files that are the same to the last folder stay the same: they are one file.
    for (int folders = 1; folders <= kMostFolders; ++folders) {
      const auto same =
          std::ranges::count_if(paths, [&](const std::string& other) { return nameWith(other, folders - 1) == label; });
      if (same < 2) break;
      label = nameWith(path, folders);
    }
    labels.push_back(std::move(label));
  }
  return labels;
}

} // namespace skincells::jobs
