// A field inside a glTF document: the bytes of a field file as a data URI in the document's extras.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/gltf/model.h"
#include "skincells/result.h"

namespace skincells::io {

inline constexpr const char* kEmbeddedFieldKey = "skincells_field";

bool hasEmbeddedField(const Json& document);

// The embedded bytes, not decoded; an error if there are none.
Result<std::vector<std::uint8_t>> embeddedField(const Json& document, const std::string& where);

// Embeds a field, replacing an existing one. Fails if the document's extras are not an object.
Result<void> embedField(Json& document, const std::vector<std::uint8_t>& bytes, const std::string& where);

// Removes an embedded field, which does not match new weights.
void dropEmbeddedField(Json& document);

} // namespace skincells::io
