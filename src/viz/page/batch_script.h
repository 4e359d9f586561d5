// Style and script of the page over a batch.
#pragma once

#include <string_view>

namespace skincells::page {

std::string_view batchStyle();
// Reads the rows from the element "rows" (batch_page.cpp).
std::string_view batchScript();

} // namespace skincells::page
