#include "io/gltf/clip_frames.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace skincells::io {

std::vector<ClipFrame> clipFrames(std::span<const ClipInfo> clips, double frames_per_second, std::size_t most) {
  // Frames are counted, not listed: a broken file may claim that a clip lasts for ages.
  constexpr double kMostFrames = 1e9;
  std::vector<std::uint64_t> frames; // by clip
  std::uint64_t total = 0;
  for (const ClipInfo& clip : clips) {
    const double last = std::floor(clip.duration * frames_per_second + 1e-9);
    frames.push_back(static_cast<std::uint64_t>(std::min(last, kMostFrames)) + 1);
    total += frames.back();
  }
  std::vector<ClipFrame> out;
  const std::uint64_t count = std::min(total, static_cast<std::uint64_t>(most));
  std::size_t clip = 0;
  std::uint64_t before = 0; // frames of the clips before this one
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t frame = i * total / count;
    for (; frame - before >= frames[clip]; ++clip) before += frames[clip];
    out.push_back({clip, static_cast<double>(frame - before) / frames_per_second});
  }
  return out;
}

} // namespace skincells::io
