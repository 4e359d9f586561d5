// The options of skin cells that few users need.
#pragma once

#include "skincells/bind.h"

namespace skincells::binding {

// The table with the expert options behind its own.
OptionTable<BindOptions> withExpertOptions(OptionTable<BindOptions> table);

} // namespace skincells::binding
