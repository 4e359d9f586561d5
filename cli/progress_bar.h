// Progress on stderr: a bar on a terminal, plain lines elsewhere.
#pragma once

#include "skincells/progress.h"

namespace skincells::cli {

// Prints nothing when `quiet`.
ProgressFunction progressBar(bool quiet);

} // namespace skincells::cli
