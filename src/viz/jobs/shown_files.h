// The files that pictures and the viewer show: characters, and clouds as facets.
#pragma once

#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/io/point_cloud.h"
#include "skincells/result.h"

namespace skincells::jobs {

// A cloud of points or splats as a character: a colored facet for each, at most 20,000. With the rig, the file with
// the skeleton of its weights, it can be posed. Without one it hangs on a single joint.
Result<CharacterFile> cloudFigure(const PointCloudFile& cloud, const std::string& rig);

struct ShownFiles {
  std::vector<CharacterFile> files;
  bool still = false; // one is a cloud without a skeleton: it is shown as it is
  Warnings warnings;  // of the first file, and what is not shown of clouds
};

// Reads characters and clouds like jobs::readAll, or jobs::readSkins if they are skins of one mesh. options.rig: of a
// file without a skin, or of a cloud.
Result<ShownFiles> readShown(const std::string& first, const std::vector<std::string>& others, bool one_mesh,
                             OutputSet& outputs, const ReadOptions& options);

} // namespace skincells::jobs
