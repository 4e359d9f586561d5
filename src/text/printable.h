// Names from files and from the command line, made safe to print. A terminal obeys control characters: they can hide
// text, move the cursor or change the keyboard.
#pragma once

#include <string>
#include <string_view>

namespace skincells::text {

// One line: control characters, characters that change the direction of writing, and bytes that are not UTF-8 become
// "\x1b" or "\u202e". Everything else is unchanged. All text output that contains names goes through this.
std::string printable(std::string_view text);

// The same for a JSON document, which stays the same document.
std::string printableJson(std::string_view document);

} // namespace skincells::text
