// The items of a batch (batchItems in skincells/batch.h).
#pragma once

#include <string_view>

#include "skincells/batch.h"

namespace skincells::batch {

// Whether the name is that of a folder below another one.
bool isSafeName(std::string_view name);

} // namespace skincells::batch
