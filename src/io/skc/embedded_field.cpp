#include "io/skc/embedded_field.h"

#include <nlohmann/json.hpp>

#include "io/uri.h"

namespace skincells::io {

bool hasEmbeddedField(const Json& document) {
  return document.contains("extras") && document["extras"].is_object() &&
         document["extras"].contains(kEmbeddedFieldKey);
}

Result<std::vector<std::uint8_t>> embeddedField(const Json& document, const std::string& where) {
  if (!hasEmbeddedField(document) || !document["extras"][kEmbeddedFieldKey].is_string())
    return Error{ErrorCode::InvalidFile,
                 "contains no field; bind with --embed-field, or give a field file (bind --field FILE.skc)", where};
  return decodeDataUri(document["extras"][kEmbeddedFieldKey].get_ref<const std::string&>(),
                       where + "#/extras/" + kEmbeddedFieldKey);
}

Result<void> embedField(Json& document, const std::vector<std::uint8_t>& bytes, const std::string& where) {
  if (document.contains("extras") && !document["extras"].is_object())
    return Error{ErrorCode::UnsupportedFeature,
                 "has extras that are not an object; use --field instead of --embed-field", where + "#/extras"};
  document["extras"][kEmbeddedFieldKey] = encodeDataUri(bytes, "application/octet-stream");
  return {};
}

void dropEmbeddedField(Json& document) {
  if (!hasEmbeddedField(document)) return;
  document["extras"].erase(kEmbeddedFieldKey);
  if (document["extras"].empty()) document.erase("extras");
}

} // namespace skincells::io
