// One table per options struct defines each option once: name, field, range, help. Command-line flags, help
// texts, JSON configuration, reports and bindings all read these tables.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
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
  std::string group = {};   // heading in the help text; empty: the ordinary options
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

template <class T, class I>
Option<T> integer(std::string name, I T::*field, std::int64_t lo, std::int64_t hi, std::string help) {
  Option<T> o;
  static_cast<OptionInfo&>(o) = {
      std::move(name), std::move(help), OptionKind::Integer, printInteger(lo) + " .. " + printInteger(hi), {}};
  o.set = [info = static_cast<const OptionInfo&>(o), field, lo, hi](T& t, std::string_view text) -> Result<void> {
    auto v = parseInteger(info, text, lo, hi);
    if (!v) return std::move(v).error();
    t.*field = static_cast<I>(*v);
    return {};
  };
  o.get = [field](const T& t) { return printInteger(static_cast<std::int64_t>(t.*field)); };
  o.default_text = o.get(T{});
  return o;
}

template <class T> Option<T> real(std::string name, double T::*field, double lo, double hi, std::string help) {
  Option<T> o;
  static_cast<OptionInfo&>(o) = {
      std::move(name), std::move(help), OptionKind::Real, printReal(lo) + " .. " + printReal(hi), {}};
  o.set = [info = static_cast<const OptionInfo&>(o), field, lo, hi](T& t, std::string_view text) -> Result<void> {
    auto v = parseReal(info, text, lo, hi);
    if (!v) return std::move(v).error();
    t.*field = *v;
    return {};
  };
  o.get = [field](const T& t) { return printReal(t.*field); };
  o.default_text = o.get(T{});
  return o;
}

template <class T> Option<T> flag(std::string name, bool T::*field, std::string help) {
  Option<T> o;
  static_cast<OptionInfo&>(o) = {std::move(name), std::move(help), OptionKind::Flag, "true | false", {}};
  o.set = [info = static_cast<const OptionInfo&>(o), field](T& t, std::string_view text) -> Result<void> {
    auto v = parseFlag(info, text);
    if (!v) return std::move(v).error();
    t.*field = *v;
    return {};
  };
  o.get = [field](const T& t) -> std::string { return t.*field ? "true" : "false"; };
  o.default_text = o.get(T{});
  return o;
}

template <class T> Option<T> text(std::string name, std::string T::*field, std::string range, std::string help) {
  Option<T> o;
  static_cast<OptionInfo&>(o) = {std::move(name), std::move(help), OptionKind::Text, std::move(range), {}};
  o.set = [field](T& t, std::string_view v) -> Result<void> { return t.*field = std::string(v), Result<void>{}; };
  o.get = [field](const T& t) { return t.*field; };
  o.default_text = o.get(T{});
  return o;
}

template <class T, class E>
Option<T> choice(std::string name, E T::*field, std::vector<std::pair<std::string, E>> choices, std::string help) {
  Option<T> o;
  std::string range;
  for (const auto& c : choices) range += (range.empty() ? "" : " | ") + c.first;
  static_cast<OptionInfo&>(o) = {std::move(name), std::move(help), OptionKind::Choice, range, {}};
  o.set = [info = static_cast<const OptionInfo&>(o), field, choices](T& t, std::string_view v) -> Result<void> {
    for (const auto& c : choices)
      if (c.first == v) return t.*field = c.second, Result<void>{};
    return badChoice(info, v);
  };
  o.get = [field, choices](const T& t) {
    for (const auto& c : choices)
      if (c.second == t.*field) return c.first;
    return std::string("?");
  };
  o.default_text = o.get(T{});
  return o;
}

// A value by itself, to define an option before it has a place in a struct.
template <class V> struct Lone { V value{}; };

// The option for a field that may be left open: "auto" is no value, anything else goes by the rules of `option`.
template <class T, class V> Option<T> orAuto(const Option<Lone<V>>& option, std::optional<V> T::*field) {
  Option<T> o;
  static_cast<OptionInfo&>(o) = option;
  o.kind = option.kind == OptionKind::Flag ? OptionKind::Choice : option.kind; // a bare flag could not say "false"
  o.range = "auto | " + option.range;
  o.set = [option, field](T& t, std::string_view text) -> Result<void> {
    if (text == "auto") return t.*field = std::nullopt, Result<void>{};
    Lone<V> lone;
    if (auto r = option.set(lone, text); !r) return r;
    t.*field = lone.value;
    return {};
  };
  o.get = [option, field](const T& t) { return t.*field ? option.get(Lone<V>{*(t.*field)}) : std::string("auto"); };
  o.default_text = o.get(T{});
  return o;
}

// The option under a heading of its own in the help text.
template <class T> Option<T> grouped(std::string group, Option<T> option) {
  option.group = std::move(group);
  return option;
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
