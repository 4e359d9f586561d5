// The verdict on a skin: its measures against their thresholds.
#pragma once

#include <string>
#include <vector>

#include "skincells/verdict.h"
#include "skincells/viz/page.h"

namespace skincells::page {

struct NamedVerdict {
  std::string name;
  Verdict verdict; // all of one gate
};
// The measures of one or more skins, one column each, and where the first is worst.
PageSection verdictSection(const std::vector<NamedVerdict>& skins);

// Sets the page's verdict to the worst of the skins; always bad if a file is not valid.
void setVerdict(PageInput& page, bool valid, const std::vector<NamedVerdict>& skins);

} // namespace skincells::page
