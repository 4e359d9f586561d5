// What stands in the viewer page about one character; web/src/payload.ts reads it.
#pragma once

#include "report/json_text.h"
#include "skincells/viz/viewer.h"

namespace skincells::viewer {

Result<report::Json> characterJson(const ViewCharacter& character, const ViewOptions& options);

} // namespace skincells::viewer
