// The data that `skincells view` writes into the page; web/src/payload.ts reads it.
#pragma once

#include "report/json_text.h"
#include "skincells/viz/viewer.h"

namespace skincells::viewer {

// Thresholds and defaults that the page shares with the library.
report::Json settingsJson();
Result<report::Json> characterJson(const ViewCharacter& character, const ViewOptions& options);

} // namespace skincells::viewer
