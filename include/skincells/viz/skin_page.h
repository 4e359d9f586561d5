// Report pages about one skin, or several of one mesh.
#pragma once

#include <string>
#include <vector>

#include "skincells/report.h"

namespace skincells {

// What a bind did as one self-contained HTML page with pictures, to look at and to attach to a ticket.
std::string bindPage(const BindSummary& summary);

// A page about finished skins: pictures of rest and worst poses, weight maps, figures against thresholds, soundness,
// joints left out and why, and how the first was bound as far as that is known. Others are skins of the same mesh,
// beside the first and measured against it.
struct SkinPageOptions {
  // Ranges of motion of random poses, as in BindOptions, but "auto" is by the parts of a body that names tell, else by
  // the clips, else one cone; or the ranges of `bind_report`.
  std::string rom = "auto";
  std::string bind_report = ""; // the JSON that `bind --report` wrote for the first skin; empty: none
};
const OptionTable<SkinPageOptions>& skinPageOptionTable();
Result<std::string> skinPage(const CharacterFile& first, const std::vector<const CharacterFile*>& others = {},
                             const SkinPageOptions& options = {});

} // namespace skincells
