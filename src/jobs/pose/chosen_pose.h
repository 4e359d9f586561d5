// The one pose that PoseOptions name.
#pragma once

#include <string>

#include "skincells/io/character_file.h"
#include "skincells/jobs/pose_job.h"

namespace skincells::jobs {

struct ChosenPose {
  std::string label; // "walk at 0.25 s", "random 3"
  Pose pose;         // one transform per joint of the skeleton
  double scale = 1;  // lengths of the pose -> meters; 1 for poses of a pose file
  Warnings warnings;
};

// Fails unless the options name exactly one pose that exists.
Result<ChosenPose> choosePose(const CharacterFile& rig, const PoseOptions& options);
// Without a character file there are no clips, only poses of a pose file.
Result<ChosenPose> choosePose(const Skeleton& skeleton, const PoseOptions& options);

} // namespace skincells::jobs
