// Reading members of a JSON object with errors that name their place.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "skincells/result.h"

namespace skincells::text {

// A JSON value together with the pointer that leads to it.
class JsonPlace {
public:
  using Json = nlohmann::ordered_json;

  JsonPlace(const Json& value, std::string pointer) : value_(&value), pointer_(std::move(pointer)) {}

  const Json& value() const { return *value_; }
  const std::string& pointer() const { return pointer_; }
  Error error(std::string message, ErrorCode code = ErrorCode::InvalidFile) const {
    return {code, std::move(message), pointer_};
  }

  bool has(const char* key) const { return value_->is_object() && value_->contains(key); }
  // The member; a null value where it is missing.
  JsonPlace at(const char* key) const;
  JsonPlace at(std::size_t index) const { return {(*value_)[index], pointer_ + "/" + std::to_string(index)}; }
  // Elements of an array; 0 for everything else.
  std::size_t size() const { return value_->is_array() ? value_->size() : 0; }

  std::string text(const char* key) const; // empty where missing or not a string
  // A whole number in [0, limit); missing: `fallback`.
  Result<std::size_t> number(const char* key, std::size_t limit, std::size_t fallback) const;
  Result<std::size_t> number(const char* key, std::size_t limit) const; // required
  // An index below `count`, or -1 where missing.
  Result<int> index(const char* key, std::size_t count, const char* what) const;
  // An array of `n` finite numbers; `out` stays as it is where the member is missing.
  Result<void> numbers(const char* key, double* out, std::size_t n) const;
  // An error where the member exists and is not an array.
  Result<JsonPlace> array(const char* key) const;
  Result<JsonPlace> object(const char* key) const;

private:
  const Json* value_;
  std::string pointer_;
};

} // namespace skincells::text
