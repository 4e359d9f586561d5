// Options as a JSON file: {"quality": "draft", "stiffness": 2, "force": true}.
#pragma once

#include <string>
#include <vector>

#include "help.h"
#include "skincells/result.h"

namespace skincells::cli {

// The options of the file as words of a command line, without those that the words already give.
Result<std::vector<std::string>> wordsOfOptionFile(const std::string& path, const CommandHelp& command,
                                                   const std::vector<std::string>& given);

// The present values of the options of a command, as such a file.
std::string optionFileText(const CommandHelp& command);

} // namespace skincells::cli
