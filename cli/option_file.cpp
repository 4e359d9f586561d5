#include "option_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

namespace skincells::cli {
namespace {

using Json = nlohmann::ordered_json;

// Options that are about one run.
bool isOfTheRun(const std::string& name) {
  return name == "output" || name == "options" || name == "print-options" || name == "json" || name == "json-file";
}

bool isGiven(const HelpEntry& entry, const std::vector<std::string>& words) {
  const std::string name = "--" + entry.longName();
  return std::ranges::any_of(words, [&](const std::string& word) {
    return word == name || word.starts_with(name + "=") || (entry.name.starts_with("-o,") && word.starts_with("-o"));
  });
}

Error wrong(const std::string& path, const std::string& name, const std::string& why) {
  return {ErrorCode::InvalidOption, why, path + "#/" + name};
}

// One value as it is typed; empty: it cannot be typed.
std::string typed(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean() || value.is_number()) return value.dump();
  return "";
}

Result<void> addWords(const std::string& path, const HelpEntry& entry, const Json& value,
                      std::vector<std::string>& words) {
  const std::string name = "--" + entry.longName();
  if (entry.value.empty()) { // a flag
    if (!value.is_boolean()) return wrong(path, entry.longName(), "must be true or false");
    if (value.get<bool>()) words.push_back(name);
    return {};
  }
  const Json values = value.is_array() ? value : Json::array({value});
  for (const Json& v : values) {
    const bool none = v.is_null() || (v.is_string() && v.get<std::string>().empty());
    if (none) continue;
    const std::string text = typed(v);
    if (text.empty()) return wrong(path, entry.longName(), "must be a text, a number, or true or false");
    words.push_back(name + "=" + text);
  }
  return {};
}

} // namespace

Result<std::vector<std::string>> wordsOfOptionFile(const std::string& path, const CommandHelp& command,
                                                   const std::vector<std::string>& given) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::FileNotFound, "cannot be read", path};
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    return Error{ErrorCode::InvalidOption,
                 "is not a JSON object with the names of options as keys; '--print-options' prints one", path};
  std::vector<std::string> words;
  for (const auto& item : json.items()) {
    const std::string& name = item.key();
    const auto entry = std::ranges::find_if(
        command.entries, [&](const HelpEntry& e) { return !e.positional() && e.longName() == name; });
    if (entry == command.entries.end() || name == "options" || name == "print-options") {
      std::vector<std::string> names;
      for (const HelpEntry& e : command.entries)
        if (!e.positional()) names.push_back(e.longName());
      const std::string near = nearestWord(name, names);
      return wrong(path, name,
                   "'" + command.name + "' has no such option" +
                       (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    if (isGiven(*entry, given)) continue;
    if (auto added = addWords(path, *entry, item.value(), words); !added) return added.error();
  }
  return words;
}

std::string optionFileText(const CommandHelp& command) {
  Json json = Json::object();
  for (const HelpEntry& e : command.entries) {
    if (e.positional() || !e.current || isOfTheRun(e.longName())) continue;
    const std::string text = e.current();
    const bool plain = e.value.empty() || e.value == "NUMBER";
    Json value = plain ? Json::parse(text, nullptr, false) : Json(text);
    json[e.longName()] = value.is_discarded() ? Json(text) : std::move(value);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace skincells::cli
