// Completions of the command line for shells.
#pragma once

#include <span>
#include <string>

#include "help.h"

namespace skincells::cli {

// The completion script for "bash", "zsh" or "fish"; empty for another shell.
std::string completionScript(const std::string& shell, std::span<const CommandHelp> commands);

} // namespace skincells::cli
