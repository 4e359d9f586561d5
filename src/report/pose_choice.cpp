#include "report/pose_choice.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/table.h"

namespace skincells::report {

namespace {

// The `shown` poses with the largest figures, largest first, labelled by index and figure.
std::vector<LabelledPose> largest(const std::vector<Pose>& poses, std::size_t shown,
                                  const std::function<double(const Pose&)>& figure) {
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t p = 0; p < poses.size(); ++p) ranked.emplace_back(figure(poses[p]), p);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  ranked.resize(std::min(ranked.size(), shown));
  std::vector<LabelledPose> out;
  for (const auto& [value, p] : ranked)
    out.push_back({"pose " + std::to_string(p) + " (" + fixed(value, 3) + ")", poses[p]});
  return out;
}

} // namespace

std::vector<LabelledPose> worstPoses(const Character& c, const SparseWeights& weights, const std::vector<Pose>& poses,
                                     std::size_t shown) {
  return largest(poses, shown, [&](const Pose& pose) { return shapeStatistics(c.mesh, weights, {pose}).stretch_rms; });
}

std::vector<LabelledPose> differingPoses(const Character& c, const SparseWeights& a, const SparseWeights& b,
                                         const std::vector<Pose>& poses, std::size_t shown) {
  return largest(poses, shown, [&](const Pose& pose) {
    return compareWeights(c.mesh, a, b, {PoseSet{"", {pose}}}).sets[0].error.rms;
  });
}

std::vector<LabelledPose> clipPoses(const CharacterFile& file, double frames_per_second, std::size_t most) {
  // Frames are counted, not listed: a broken file may claim that a clip lasts for ages.
  constexpr double kMostFrames = 1e9;
  std::vector<std::uint64_t> frames; // by clip
  std::uint64_t total = 0;
  for (const ClipInfo& clip : file.clips()) {
    const double last = std::floor(clip.duration * frames_per_second + 1e-9);
    frames.push_back(static_cast<std::uint64_t>(std::min(last, kMostFrames)) + 1);
    total += frames.back();
  }
  std::vector<LabelledPose> poses;
  const std::uint64_t count = std::min(total, static_cast<std::uint64_t>(most));
  std::size_t clip = 0;
  std::uint64_t before = 0; // frames of the clips before this one
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t frame = i * total / count;
    for (; frame - before >= frames[clip]; ++clip) before += frames[clip];
    const double time = static_cast<double>(frame - before) / frames_per_second;
    poses.push_back({file.clips()[clip].name + " " + fixed(time, 2) + " s", file.samplePose(clip, time)});
  }
  return poses;
}

std::vector<Rgb> materialColors(const Mesh& mesh) {
  constexpr float kDarkest = 0.06F; // black materials would hide the shape
  std::vector<Rgb> colors;
  for (const MeshSection& s : mesh.sections)
    colors.insert(colors.end(), s.triangle_count,
                  Rgb{std::max(s.color[0], kDarkest), std::max(s.color[1], kDarkest), std::max(s.color[2], kDarkest)});
  return colors;
}

} // namespace skincells::report
