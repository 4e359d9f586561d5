// What is in a field file, as a document.
#pragma once

#include <string>

#include "skincells/report.h"

namespace skincells {

// Is it named like a field file (.skc)?
bool isFieldPath(const std::string& path);

// Version, joints, influences, sites, box, unit, provenance and size of a field file, and what is odd about it.
Result<Document> inspectFieldFile(const std::string& path);

} // namespace skincells
