// The provenance of a field as JSON text.
#pragma once

#include <string>
#include <string_view>

#include "skincells/field_document.h"

namespace skincells::io {

std::string provenanceText(const FieldProvenance& provenance);
// Members that are missing or of another type are empty.
FieldProvenance provenanceFromText(std::string_view text);

} // namespace skincells::io
