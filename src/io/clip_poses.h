// Poses sampled from the clips of a character file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "skincells/io/character_file.h"

namespace skincells::io {

struct ClipPose {
  std::string label; // "walk 0.25 s"; long names are shortened in the middle
  Pose pose;
};

// The pose followed by a movement of the whole character.
Pose movedPose(const Affine& movement, Pose pose);

// Poses of all clips together at `frames_per_second`; if there are more than `most`, evenly spaced ones.
// In bind space, with the movement of the root.
std::vector<ClipPose> clipPoses(const CharacterFile& file, double frames_per_second, std::size_t most);

} // namespace skincells::io
