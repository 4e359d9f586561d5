// One table per options struct defines each option once: name, field, range, help. Command-line flags, help texts,
// validation and reports all read these tables.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "skincells/result.h"

namespace skincells {

enum class OptionKind { Flag, Integer, Real, Text, Choice };

// The parts of an option that do not depend on the struct it belongs to.
struct OptionInfo {
  std::string name; // "max-influences": the flag without dashes, and the key in JSON
  std::string help; // meaning, with its unit
  OptionKind kind = OptionKind::Text;
  std::string range;        // "1 .. 8", "proximity | ...", or empty where every value is fine
  std::string default_text; // as one would type it
};

template <class T> struct Option : OptionInfo {
  // Parses and stores a value; the error names the option and its range.
  std::function<Result<void>(T&, std::string_view)> set;
  // The value as one would type it.
  std::function<std::string(const T&)> get;
};

template <class T> using OptionTable = std::vector<Option<T>>;

namespace options {

// Parsing and printing shared by all tables; independent of the locale.
Result<std::int64_t> parseInteger(const OptionInfo& info, std::string_view text, std::int64_t lo, std::int64_t hi);
Result<double> parseReal(const OptionInfo& info, std::string_view text, double lo, double hi);
Result<bool> parseFlag(const OptionInfo& info, std::string_view text);
Error badChoice(const OptionInfo& info, std::string_view text);
std::string printInteger(std::int64_t value);
std::string printReal(double value);

// An option with its default text taken from a default-constructed T.
template <class T>
Option<T> make(OptionInfo info, std::function<Result<void>(T&, std::string_view)> set,
               std::function<std::string(const T&)> get) {
  Option<T> option{std::move(info), std::move(set), std::move(get)};
  option.default_text = option.get(T{});
  return option;
}

template <class T, class I>
Option<T> integer(std::string name, I T::*field, std::int64_t lo, std::int64_t hi, std::string help) {
  const OptionInfo info{
      std::move(name), std::move(help), OptionKind::Integer, printInteger(lo) + " .. " + printInteger(hi), {}};
  const auto set = [info, field, lo, hi](T& t, std::string_view text) -> Result<void> {
    auto value = parseInteger(info, text, lo, hi);
    if (!value) return std::move(value).error();
    t.*field = static_cast<I>(*value);
    return {};
  };
  return make<T>(info, set, [field](const T& t) { return printInteger(static_cast<std::int64_t>(t.*field)); });
}

template <class T> Option<T> real(std::string name, double T::*field, double lo, double hi, std::string help) {
  const OptionInfo info{std::move(name), std::move(help), OptionKind::Real, printReal(lo) + " .. " + printReal(hi), {}};
  const auto set = [info, field, lo, hi](T& t, std::string_view text) -> Result<void> {
    auto value = parseReal(info, text, lo, hi);
    if (!value) return std::move(value).error();
    t.*field = *value;
    return {};
  };
  return make<T>(info, set, [field](const T& t) { return printReal(t.*field); });
}

// A switch that is off by default; on the command line its name alone turns it on.
template <class T> Option<T> flag(std::string name, bool T::*field, std::string help) {
  const OptionInfo info{std::move(name), std::move(help), OptionKind::Flag, "true | false", {}};
  const auto set = [info, field](T& t, std::string_view text) -> Result<void> {
    auto value = parseFlag(info, text);
    if (!value) return std::move(value).error();
    t.*field = *value;
    return {};
  };
  return make<T>(info, set, [field](const T& t) -> std::string { return t.*field ? "true" : "false"; });
}

// A switch that may be on by default; its value is always given: --guard false.
template <class T> Option<T> toggle(std::string name, bool T::*field, std::string help) {
  Option<T> option = flag<T>(std::move(name), field, std::move(help));
  option.kind = OptionKind::Choice;
  return option;
}

template <class T> Option<T> text(std::string name, std::string T::*field, std::string range, std::string help) {
  const auto set = [field](T& t, std::string_view text) -> Result<void> {
    t.*field = std::string(text);
    return {};
  };
  return make<T>({std::move(name), std::move(help), OptionKind::Text, std::move(range), {}}, set,
                 [field](const T& t) { return t.*field; });
}

template <class T, class E>
Option<T> choice(std::string name, E T::*field, std::vector<std::pair<std::string, E>> choices, std::string help) {
  std::string range;
  for (const auto& c : choices) range += (range.empty() ? "" : " | ") + c.first;
  const OptionInfo info{std::move(name), std::move(help), OptionKind::Choice, range, {}};
  const auto set = [info, field, choices](T& t, std::string_view text) -> Result<void> {
    for (const auto& [word, value] : choices) {
      if (word != text) continue;
      t.*field = value;
      return {};
    }
    return badChoice(info, text);
  };
  const auto get = [field, choices](const T& t) {
    for (const auto& [word, value] : choices)
      if (value == t.*field) return word;
    return std::string("?");
  };
  return make<T>(info, set, get);
}

// Checks every field against its range; the error names the first bad one.
template <class T> Result<void> validate(const OptionTable<T>& table, const T& values) {
  T scratch = values;
  for (const auto& o : table)
    if (auto r = o.set(scratch, o.get(values)); !r) return r;
  return {};
}

} // namespace options
} // namespace skincells
