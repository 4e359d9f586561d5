// The data that `skincells view` writes into the page; web/src/payload.ts reads it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "skincells/viz/viewer_page.h"

namespace skincells::viewer {

// Thresholds and defaults that page and library share.
nlohmann::ordered_json settingsJson(const Gate& gate, ViewArrangement arrangement);
Result<nlohmann::ordered_json> characterJson(const ViewCharacter& character, const ViewOptions& options,
                                             const Gate& gate);

} // namespace skincells::viewer
