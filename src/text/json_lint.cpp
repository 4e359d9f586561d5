#include "text/json_lint.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include <nlohmann/json.hpp>

namespace skincells::text {
namespace {

using Json = nlohmann::json;

// Tracks the place of the parser in the document.
class Lint : public nlohmann::json_sax<Json> {
public:
  Lint(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  const std::optional<Error>& error() const { return error_; }

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(Json::number_integer_t) override { return value(); }
  bool number_unsigned(Json::number_unsigned_t) override { return value(); }
  bool number_float(Json::number_float_t, const std::string&) override { return value(); }
  bool string(std::string&) override { return value(); }
  bool binary(Json::binary_t&) override { return value(); }
  bool start_object(std::size_t) override {
    levels_.push_back({});
    return true;
  }
  bool start_array(std::size_t) override {
    levels_.push_back({});
    levels_.back().array = true;
    return true;
  }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(std::string& key) override {
    Level& level = levels_.back();
    level.key = key;
    if (level.seen.insert(key).second) return true;
    error_ = Error{ErrorCode::InvalidFile, "is a duplicate key; remove one of the two", where_ + "#" + pointer()};
    return false;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    const std::string_view before = text_.substr(0, std::min(position, text_.size()));
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1); // npos + 1 is 0
    std::string place = "column " + std::to_string(std::max<std::size_t>(1, column));
    if (text_.find('\n') != std::string_view::npos) place = "line " + std::to_string(line) + ", " + place;
    error_ = Error{ErrorCode::InvalidFile, "is not valid JSON; see " + place, where_};
    return false;
  }

private:
  struct Level {
    std::set<std::string> seen;
    std::string key; // current member
    std::size_t index = 0;
    bool array = false;
  };

  bool leave() {
    levels_.pop_back();
    return value();
  }
  bool value() {
    if (!levels_.empty()) ++levels_.back().index;
    return true;
  }
  std::string pointer() const {
    std::string out;
    for (const Level& l : levels_) out += l.array ? "/" + std::to_string(l.index) : pointerPart(l.key);
    return out;
  }

  std::string_view text_;
  const std::string& where_;
  std::vector<Level> levels_;
  std::optional<Error> error_;
};

} // namespace

Result<void> checkJson(std::string_view text, const std::string& where) {
  Lint lint(text, where);
  static_cast<void>(Json::sax_parse(text.begin(), text.end(), &lint));
  if (lint.error()) return *lint.error();
  return {};
}

std::string pointerPart(std::string_view key) {
  std::string out = "/";
  for (char c : key) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

} // namespace skincells::text
