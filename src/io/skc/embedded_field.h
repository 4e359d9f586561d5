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

// The embedded bytes, not yet looked at; an error where there are none.
Result<std::vector<std::uint8_t>> embeddedField(const Json& document, const std::string& where);

// Embeds a field in place of any that is there. An error when the document has extras that are no object.
Result<void> embedField(Json& document, const std::vector<std::uint8_t>& bytes, const std::string& where);

// Takes an embedded field out; one that belongs to older weights would mislead.
void dropEmbeddedField(Json& document);

} // namespace skincells::io
