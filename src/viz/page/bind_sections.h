// How a skin was bound, as sections of a report page.
#pragma once

#include <vector>

#include "skincells/jobs/wear.h"
#include "skincells/rig.h"
#include "skincells/viz/page.h"
#include "viz/page/bind_record.h"

namespace skincells::page {

// Loss curves, ranges of motion of the training poses, options and timings: those that are known.
std::vector<PageSection> recordSections(const Skeleton& skeleton, const BindRecord& record);

// How each garment moves over its body: the result, the same before, and what simpler methods give.
PageSection garmentSection(const std::vector<GarmentOutcome>& garments);

} // namespace skincells::page
