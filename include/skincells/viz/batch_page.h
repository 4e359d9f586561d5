// The page over all results of a batch.
#pragma once

#include <string>

#include "skincells/batch.h"

namespace skincells {

// OUT/index.html: pictures, verdicts and times of all items, which can be searched, filtered and sorted. Its script
// keeps only the visible rows in the document. It refers to files in OUT/items and makes no other requests.
std::string batchPage(const BatchOutcome& outcome);

} // namespace skincells
