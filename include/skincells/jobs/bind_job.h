// A bind's field with its provenance.
#pragma once

#include "skincells/bind.h"
#include "skincells/io/character_file.h"

namespace skincells {

// The field of a bind as it is to be written: with its parts, the unit and up-axis that the file tells, the hash of the
// file and the options. Warnings go to the result's report. Error where the bind made no field.
Result<FieldDocument> fieldOfBind(const CharacterFile& file, const BindOptions& options, BindResult& result);

} // namespace skincells
