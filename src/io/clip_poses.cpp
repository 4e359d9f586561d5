#include "io/clip_poses.h"

#include "io/gltf/animation.h"
#include "text/table.h"
#include "text/utf8.h"

namespace skincells::io {

Pose movedPose(const Affine& movement, Pose pose) {
  for (Affine& joint : pose) joint = movement * joint;
  return pose;
}

std::vector<ClipPose> clipPoses(const CharacterFile& file, double frames_per_second, std::size_t most) {
  constexpr std::size_t kLongestName = 24; // exporters put the name of the armature before that of the clip
  std::vector<ClipPose> poses;
  for (const ClipFrame& f : clipFrames(file.clips(), frames_per_second, most))
    poses.push_back({text::shortened(file.clips()[f.clip].name, kLongestName) + " " + text::fixed(f.time, 2) + " s",
                     movedPose(file.info().bind_from_scene, file.samplePose(f.clip, f.time))});
  return poses;
}

} // namespace skincells::io
