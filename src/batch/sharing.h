// Items whose characters have the same skeleton.
#pragma once

#include <vector>

#include "batch/line.h"
#include "batch/worker.h"

namespace skincells::batch {

// The items in rounds, each of which may need results of those before it. With share_skeletons, the first item of each
// skeleton leads: the others start from its field, one round later. Else there is one round.
std::vector<std::vector<BatchItem>> roundsOf(const Work& work, std::vector<BatchItem> items);

// Once the leaders have been run: items start only from fields that are there and whose skin is good.
void keepGoodStarts(const Work& work, const LinesByItem& lines, std::vector<BatchItem>& items);

} // namespace skincells::batch
