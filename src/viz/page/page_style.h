// The style sheet of report pages.
#pragma once

#include <string_view>

namespace skincells::page {

std::string_view pageStyle();

} // namespace skincells::page
