// The command reference (docs/commands.md), made from the option tables.
#pragma once

#include <span>
#include <string>

#include "help.h"

namespace skincells::cli {

std::string commandReference(std::span<const CommandHelp> commands);

} // namespace skincells::cli
