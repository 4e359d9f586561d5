// Animation clips as poses.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "io/gltf/read/character.h"
#include "skincells/rig.h"

namespace skincells::io {

// The keys of a document's animations, decoded once.
class ClipSampler {
public:
  // Channels with invalid data are ignored, with a warning.
  ClipSampler(const GltfDocument& document, const GltfCharacter& character, Warnings& warnings);

  const std::vector<ClipInfo>& clips() const { return infos_; }
  Pose sample(std::size_t clip, double time) const; // time in seconds, clamped to the clip

private:
  struct Track {
    int node = -1;
    GltfChannel::Path path = GltfChannel::Path::Rotation;
    GltfSampler::Interpolation interpolation = GltfSampler::Interpolation::Linear;
    std::vector<float> times, values;

    std::array<double, 4> valueAt(double time) const;
  };
  std::vector<GltfNode> nodesAt(std::size_t clip, double time) const;

  const GltfModel* model_;
  std::vector<int> node_of_joint_;
  std::vector<Affine> bind_inverse_; // bind space -> joint space
  double scale_ = 1;                 // bind units -> world units
  std::vector<ClipInfo> infos_;
  std::vector<std::vector<Track>> tracks_; // by clip
};

struct ClipFrame {
  std::size_t clip = 0;
  double time = 0; // seconds
};

// The frames of all clips together at `frames_per_second`; if there are more than `most`, evenly spaced ones.
std::vector<ClipFrame> clipFrames(std::span<const ClipInfo> clips, double frames_per_second, std::size_t most);

} // namespace skincells::io
