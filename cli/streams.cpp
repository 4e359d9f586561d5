#include "streams.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>

namespace fs = std::filesystem;

namespace skincells::cli {
namespace {

std::string input_name, output_name; // temporary names in use

// Positions of the words that are arguments without a name.
std::vector<std::size_t> positionals(const CommandHelp& command, const std::vector<std::string>& words) {
  std::vector<std::size_t> out;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") break;
    if (word == "-" || !word.starts_with("-")) {
      out.push_back(i);
      continue;
    }
    const auto entry = std::ranges::find_if(command.entries, [&](const HelpEntry& e) {
      return !e.positional() && ("--" + e.longName() == word || (e.name.starts_with("-o,") && word == "-o"));
    });
    if (entry != command.entries.end() && !entry->value.empty()) ++i; // the value
  }
  return out;
}

std::string extensionOf(std::string_view bytes) {
  if (bytes.starts_with("glTF")) return ".glb";
  if (bytes.starts_with("ply")) return ".ply";
  if (bytes.starts_with("SKCFIELD")) return ".skc";
  if (bytes.starts_with("Kaydara FBX")) return ".fbx";
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && bytes[first] == '{') return ".gltf";
  return "";
}

// The extension of what a command writes to standard output.
std::string outputExtension(const std::string& command, const std::string& input) {
  if (command == "render") return ".png";
  if (command == "report" || command == "view") return ".html";
  const std::string extension = fs::path(input).extension().string();
  return extension == ".ply" || extension == ".vrm" ? extension : ".glb";
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); !from.empty() && at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

Error cannot(const std::string& why, const std::string& where) {
  return {ErrorCode::InvalidOption, why, where};
}

} // namespace

Streams::~Streams() {
  input_name.clear();
  output_name.clear();
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Result<void> Streams::replace(const CommandHelp& command, std::vector<std::string>& words) {
  if (command.name == "batch" || std::ranges::count(words, "-") == 0) return {}; // a batch reads its manifest there
  std::error_code ignored;
  std::string folder = (fs::temp_directory_path(ignored) / "skincells-stream-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr)
    return Error{ErrorCode::CannotWrite, "cannot create a temporary folder", folder};
  folder_ = folder;
  const std::vector<std::size_t> arguments = positionals(command, words);
  for (const std::size_t i : arguments) {
    if (words[i] != "-") continue;
    if (!input_name.empty()) return cannot("standard input can be only one of the inputs", "-");
    const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
    const std::string extension = extensionOf(bytes);
    if (extension.empty())
      return cannot("is in no format that can be told by its first bytes (GLB, glTF, VRM, PLY, FBX, field); give the "
                    "name of a file",
                    "standard input");
    input_name = (fs::path(folder_) / ("input" + extension)).string();
    if (!(std::ofstream(input_name, std::ios::binary) << bytes))
      return Error{ErrorCode::CannotWrite, "cannot be written; is the disk full?", input_name};
    words[i] = input_name;
  }
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if ((words[i] != "-o" && words[i] != "--output") || words[i + 1] != "-") continue;
    if (command.name == "lod" && std::ranges::count(words, "--single-file") == 0)
      return cannot("standard output takes one file; add --single-file", "--output");
    if (std::ranges::count(words, "--json") > 0)
      return cannot("standard output takes either the output or the JSON; use --json-file", "--json");
    output_name = (fs::path(folder_) /
                   ("output" + outputExtension(command.name, arguments.empty() ? "" : words[arguments.back()])))
                      .string();
    output_ = output_name;
    words[i + 1] = output_name;
  }
  return {};
}

Result<void> Streams::finish() {
  std::error_code ignored;
  if (output_.empty() || !fs::exists(output_, ignored)) return {};
  std::ifstream file(output_, std::ios::binary);
  std::cout << file.rdbuf() << std::flush;
  if (!file || !std::cout) return Error{ErrorCode::CannotWrite, "could not be written completely", "standard output"};
  return {};
}

std::FILE* textStream() {
  return output_name.empty() ? stdout : stderr;
}

std::string withStreamNames(std::string text) {
  replaceAll(text, input_name, "standard input");
  replaceAll(text, output_name, "standard output");
  return text;
}

} // namespace skincells::cli
