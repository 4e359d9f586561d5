// The page that the sections make.
#pragma once

#include <string>

#include "studies/page/section.h"

namespace skincells::studies {

// The text in lines of at most 120 columns.
std::string wrapped(const std::string& text);

// Writes a section into the text of the page, between the lines "<!-- begin NAME -->" and "<!-- end NAME -->", which
// are added at the end if they are not there.
void putSection(const Section& section, const Finding& finding, std::string& page);

// The verdict of a section in the text of the page ("holds"); empty if it has none.
std::string verdictIn(const std::string& page, const Section& section);

} // namespace skincells::studies
