// Moments of animation clips.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "skincells/rig.h"

namespace skincells::io {

struct ClipFrame {
  std::size_t clip = 0;
  double time = 0; // seconds
};

// The frames of all clips together at `frames_per_second`; when there are more than `most`, evenly spread ones.
std::vector<ClipFrame> clipFrames(std::span<const ClipInfo> clips, double frames_per_second, std::size_t most);

} // namespace skincells::io
