// The command reference (docs/commands.md) and the manual page, made from the option tables.
#pragma once

#include <span>
#include <string>

#include "help.h"

namespace skincells::cli {

std::string commandReference(std::span<const CommandHelp> commands);
std::string manualPage(std::span<const CommandHelp> commands); // for man, in roff

} // namespace skincells::cli
