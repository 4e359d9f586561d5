// How a skin was bound, as sections of a report page.
#pragma once

#include <vector>

#include "skincells/rig.h"
#include "skincells/viz/page.h"
#include "viz/page/bind_record.h"

namespace skincells::page {

// Loss curves, ranges of motion of the training poses, options and timings: those that are known.
std::vector<PageSection> recordSections(const Skeleton& skeleton, const BindRecord& record);

} // namespace skincells::page
