// The report page of finished skins: one, or several of one mesh.
#pragma once

#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/jobs/wear.h"
#include "skincells/options.h"
#include "skincells/result.h"
#include "skincells/verdict.h"
#include "skincells/viz/camera.h"

namespace skincells {

struct SkinPageOptions {
  // Ranges of motion of random poses, as in BindOptions, or "bound": those of `bind_report` if there is one, else
  // "auto".
  std::string rom = "bound";
  std::string bind_report = ""; // the JSON that `bind --json-file` wrote for the first skin; empty: none
  std::string gate = "";        // thresholds of the verdict: path of a gate file; empty: the default table
  Front front = Front::Auto;
  std::string labels = ""; // names of the skins, separated by commas; empty: those of the files
  WearOptions wear = {};   // the garments of the skins are measured over what they are worn on; not in the table
};
const OptionTable<SkinPageOptions>& skinPageOptionTable();

// One self-contained HTML page: bind pose and worst poses, weight maps, metrics against thresholds, defects, joints
// left out and why, and how the first skin was bound if that is known. `others` are skins of the same mesh; they are
// shown beside the first and measured against it.
Result<std::string> skinPage(const CharacterFile& first, const std::vector<const CharacterFile*>& others = {},
                             const SkinPageOptions& options = {});

} // namespace skincells
