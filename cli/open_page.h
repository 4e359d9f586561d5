// Handing a page to the user's web browser.
#pragma once

#include <string>

namespace skincells::cli {

// Is there a desktop to open a browser on?
bool hasDesktop();
// Asks the desktop to open a path or address; false when it cannot be asked.
bool openInBrowser(const std::string& target);

} // namespace skincells::cli
