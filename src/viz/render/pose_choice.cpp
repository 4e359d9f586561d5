#include "viz/render/pose_choice.h"

#include <algorithm>
#include <functional>

#include "text/table.h"

namespace skincells::render {

namespace {

// The `shown` poses with the largest figures, largest first, labeled by index and figure.
std::vector<LabeledPose> largest(const std::vector<Pose>& poses, std::size_t shown,
                                 const std::function<double(const Pose&)>& figure) {
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t p = 0; p < poses.size(); ++p) ranked.emplace_back(figure(poses[p]), p);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  ranked.resize(std::min(ranked.size(), shown));
  std::vector<LabeledPose> out;
  for (const auto& [value, p] : ranked)
    out.push_back({"pose " + std::to_string(p) + " (" + text::fixed(value, 3) + ")", poses[p]});
  return out;
}

} // namespace

std::vector<LabeledPose> worstPoses(const Character& c, const SparseWeights& weights, const std::vector<Pose>& poses,
                                    std::size_t shown) {
  return largest(poses, shown, [&](const Pose& pose) { return shapeStatistics(c.mesh, weights, {pose}).stretch_rms; });
}

std::vector<LabeledPose> differingPoses(const Character& c, const SparseWeights& a, const SparseWeights& b,
                                        const std::vector<Pose>& poses, std::size_t shown) {
  return largest(poses, shown, [&](const Pose& pose) {
    return compareWeights(c.mesh, a, b, {PoseSet{"", {pose}}}).sets[0].error.rms;
  });
}

std::vector<Rgb> materialColors(const Mesh& mesh) {
  // Black materials would hide the shape; a character that is black all over has lost its pictures on the way.
  constexpr float kBlack = 0.004F, kGray = 0.2F;
  const bool all_black = std::ranges::all_of(mesh.sections, [](const MeshSection& s) {
    return std::max({s.color[0], s.color[1], s.color[2]}) < kBlack;
  });
  const float darkest = all_black ? kGray : 0.06F;
  std::vector<Rgb> colors;
  for (const MeshSection& s : mesh.sections)
    colors.insert(colors.end(), s.triangle_count,
                  Rgb{std::max(s.color[0], darkest), std::max(s.color[1], darkest), std::max(s.color[2], darkest)});
  return colors;
}

} // namespace skincells::render
