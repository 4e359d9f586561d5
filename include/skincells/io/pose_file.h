// Pose files: poses of a skeleton as JSON (docs/formats.md).
#pragma once

#include <string>
#include <vector>

#include "skincells/result.h"
#include "skincells/rig.h"

namespace skincells {

struct PoseFile {
  std::vector<PoseSet> sets; // over the skeleton's joints
  Warnings warnings;
};

// Reads joint names and one or more sets of poses over them. Joints that the file does not name stay in bind pose.
Result<PoseFile> readPoseFile(const std::string& path, const Skeleton& skeleton);

} // namespace skincells
