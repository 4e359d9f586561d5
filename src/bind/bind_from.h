// A bind that starts from the field of another character with the same skeleton, which takes fewer steps.
#pragma once

#include "skincells/bind.h"
#include "skincells/field_document.h"

namespace skincells {

// Like `bind`, but the joints that deform are those of the start, and its cells are where the optimization begins.
// Fails (Mismatch) if the joints differ in name, parent or place, or the options ask for another kind of field.
Result<BindResult> bindFrom(const FieldDocument& start, const Character& character, const BindOptions& options = {},
                            const ProgressFunction& progress = {});

} // namespace skincells
