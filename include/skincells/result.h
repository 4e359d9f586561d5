// How functions of this library report failure: a value or an Error, never an exception.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace skincells {

enum class ErrorCode {
  InvalidOption,      // an option has a value outside its range, or two options contradict each other
  FileNotFound,       // the file, or a file it refers to, does not exist or cannot be opened
  UnsafeReference,    // a file refers to something outside its own folder, or to a network address
  InvalidFile,        // the file breaks its format: bad magic, truncated, indices out of range
  TooLarge,           // the file declares implausibly large sizes
  UnsupportedFeature, // a valid file that uses something this version does not read
  NoMesh,             // nothing to skin: no mesh, or a mesh without usable vertices
  NoSkeleton,         // no joints found
  AmbiguousSkeleton,  // several node trees could be the skeleton; the caller must name one
  NoJoints,           // the choice of joints dropped every joint
  Mismatch,           // two inputs that must describe the same mesh or skeleton do not
  ImportFailed,       // the import helper failed or crashed on a foreign file
  CannotWrite,        // the output cannot be written, or exists and must not be replaced
  Cancelled,          // the caller asked to stop before there was a result
};

// Stable name of a code, as used in JSON output ("invalid_option", ...).
std::string_view errorName(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::InvalidFile;
  std::string message; // what is wrong and what to do about it
  std::string where;   // file, JSON pointer, node, accessor or option it is about; may be empty

  // "where: message", for people.
  std::string text() const { return where.empty() ? message : where + ": " + message; }
};

// A problem that does not prevent a result. The code is stable and meant for programs.
struct Warning {
  std::string code;
  std::string message;
  std::string where;
};
using Warnings = std::vector<Warning>;

// A value or an Error; the interface follows std::expected.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return assert(has_value()), *std::get_if<0>(&state_); }
  const T& value() const& { return assert(has_value()), *std::get_if<0>(&state_); }
  T&& value() && { return assert(has_value()), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return assert(!has_value()), *std::get_if<1>(&state_); }
  Error&& error() && { return assert(!has_value()), std::move(*std::get_if<1>(&state_)); }

private:
  std::variant<T, Error> state_;
};

template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  const Error& error() const& { return assert(error_), *error_; }
  Error&& error() && { return assert(error_), std::move(*error_); }

private:
  std::optional<Error> error_;
};

} // namespace skincells
