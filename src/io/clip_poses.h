// Poses sampled from the clips of a character file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "skincells/io/character_file.h"

namespace skincells::io {

struct ClipPose {
  std::string label; // "walk 0.25 s"
  Pose pose;
};

// Poses of all clips together at `frames_per_second`; if there are more than `most`, evenly spaced ones.
std::vector<ClipPose> clipPoses(const CharacterFile& file, double frames_per_second, std::size_t most);

} // namespace skincells::io
