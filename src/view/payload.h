// What stands in the viewer page about one character; web/src/payload.ts reads it.
#pragma once

#include "report/json_text.h"
#include "skincells/view.h"

namespace skincells::view {

Result<report::Json> characterJson(const ViewCharacter& character, const ViewOptions& options);

} // namespace skincells::view
