// Reading JSON values with errors that name their place.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "skincells/result.h"

namespace skincells::text {

// A JSON value and the JSON pointer to it. The document must outlive it.
class JsonPlace {
public:
  using Json = nlohmann::ordered_json;

  JsonPlace(const Json& value, std::string pointer) : value_(&value), pointer_(std::move(pointer)) {}

  const Json& value() const { return *value_; }
  const std::string& pointer() const { return pointer_; }
  Error error(std::string message, ErrorCode code = ErrorCode::InvalidFile) const {
    return {code, std::move(message), pointer_};
  }

  bool has(const char* key) const; // false for anything but an object
  // The member; a null value if it is missing.
  JsonPlace at(const char* key) const;
  // The element of an array; the index must be below size().
  JsonPlace at(std::size_t index) const;
  // The number of elements of an array; 0 for anything else.
  std::size_t size() const;
  // The members of an object, in the order of the file; none for anything else.
  std::vector<std::pair<std::string, JsonPlace>> members() const;

  std::string text(const char* key) const; // empty if missing or not a string
  // A whole number in [0, limit); `fallback` if missing.
  Result<std::size_t> number(const char* key, std::size_t limit, std::size_t fallback) const;
  Result<std::size_t> number(const char* key, std::size_t limit) const; // an error if missing
  // An index below `count`; -1 if missing. `what` names the things that it counts.
  Result<int> index(const char* key, std::size_t count, const char* what) const;
  // An array of `n` finite numbers; `out` is unchanged if the member is missing.
  Result<void> numbers(const char* key, double* out, std::size_t n) const;
  // The member; an error if it is there and not an array or object, respectively.
  Result<JsonPlace> array(const char* key) const;
  Result<JsonPlace> object(const char* key) const;

private:
  const Json* value_;
  std::string pointer_;
};

} // namespace skincells::text
