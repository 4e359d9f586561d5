#include "text/json_access.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "text/json_lint.h"

namespace skincells::text {

JsonPlace JsonPlace::at(const char* key) const {
  static const Json kNull;
  return {has(key) ? (*value_)[key] : kNull, pointer_ + pointerPart(key)};
}

JsonPlace JsonPlace::at(std::size_t index) const {
  return {(*value_)[index], pointer_ + "/" + std::to_string(index)};
}

bool JsonPlace::has(const char* key) const {
  return value_->is_object() && value_->contains(key);
}

std::size_t JsonPlace::size() const {
  return value_->is_array() ? value_->size() : 0;
}

std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members() const {
  std::vector<std::pair<std::string, JsonPlace>> out;
  if (!value_->is_object()) return out;
  for (const auto& item : value_->items())
    out.emplace_back(item.key(), JsonPlace(item.value(), pointer_ + pointerPart(item.key())));
  return out;
}

std::string JsonPlace::text(const char* key) const {
  const JsonPlace member = at(key);
  return member.value().is_string() ? member.value().get<std::string>() : std::string();
}

Result<std::size_t> JsonPlace::number(const char* key, std::size_t limit) const {
  const JsonPlace member = at(key);
  const Json& v = member.value();
  if (v.is_null()) return error(std::string("'") + key + "' is missing");
  // Some exporters write whole numbers as 3.0.
  double value = -1;
  if (v.is_number()) value = v.get<double>();
  if (!(value >= 0) || value != std::floor(value)) return member.error("is not a whole number");
  if (value >= static_cast<double>(limit))
    return member.error("is " + v.dump() + ", but must be below " + std::to_string(limit));
  return static_cast<std::size_t>(value);
}

Result<std::size_t> JsonPlace::number(const char* key, std::size_t limit, std::size_t fallback) const {
  if (!has(key)) return fallback;
  return number(key, limit);
}

Result<int> JsonPlace::index(const char* key, std::size_t count, const char* what) const {
  if (!has(key)) return -1;
  auto n = number(key, std::size_t{1} << 31U);
  if (!n) return std::move(n).error();
  if (*n >= count)
    return at(key).error("refers to " + std::string(what) + " " + std::to_string(*n) + ", but there are only " +
                         std::to_string(count));
  return static_cast<int>(*n);
}

Result<void> JsonPlace::numbers(const char* key, double* out, std::size_t n) const {
  if (!has(key)) return {};
  const JsonPlace member = at(key);
  if (member.size() != n) return member.error("must be a list of " + std::to_string(n) + " numbers");
  for (std::size_t i = 0; i < n; ++i) {
    const Json& v = member.value()[i];
    if (!v.is_number() || !std::isfinite(v.get<double>())) return member.error("must contain only finite numbers");
    out[i] = v.get<double>();
  }
  return {};
}

Result<JsonPlace> JsonPlace::array(const char* key) const {
  const JsonPlace member = at(key);
  if (!member.value().is_null() && !member.value().is_array()) return member.error("must be a list");
  return member;
}

Result<JsonPlace> JsonPlace::object(const char* key) const {
  const JsonPlace member = at(key);
  if (!member.value().is_null() && !member.value().is_object()) return member.error("must be an object");
  return member;
}

} // namespace skincells::text
