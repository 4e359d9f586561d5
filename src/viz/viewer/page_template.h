// The built viewer page as it is compiled into the library; both texts are empty in a build without it.
#pragma once

#include <string_view>

namespace skincells::viewer {

std::string_view pageTemplate();
std::string_view pagePolicy();

} // namespace skincells::viewer
