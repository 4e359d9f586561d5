// Progress on stderr: a bar on a terminal, plain lines elsewhere.
#pragma once

#include <string>

#include "skincells/progress.h"

namespace skincells::cli {

// Prints nothing when `quiet`.
ProgressFunction progressBar(bool quiet);

// " 45 % losses, loss 12.3, about 2 s left"; parts that are unknown are left out.
std::string progressLine(const Progress& progress);

} // namespace skincells::cli
