// Handing a page to the user's web browser.
#pragma once

#include <string>

namespace skincells::cli {

// Is there a desktop that can show a browser?
bool hasDesktop();
// Opens a path or address in the default browser; false if that fails.
bool openInBrowser(const std::string& target);

} // namespace skincells::cli
