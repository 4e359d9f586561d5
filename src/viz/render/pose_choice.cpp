#include "viz/render/pose_choice.h"

#include <algorithm>
#include <functional>

#include "rig/motion/test_poses.h"

namespace skincells::render {
namespace {

// The `shown` poses with the largest measure, largest first, labeled by index.
std::vector<LabeledPose> largest(const std::vector<Pose>& poses, std::size_t shown, CaptionNumber number,
                                 const std::function<double(const Pose&)>& measure) {
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t p = 0; p < poses.size(); ++p) ranked.emplace_back(measure(poses[p]), p);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  ranked.resize(std::min(ranked.size(), shown));
  std::vector<LabeledPose> out;
  for (const auto& [value, p] : ranked) out.push_back({"pose " + std::to_string(p), poses[p], {}, number});
  return out;
}

} // namespace

std::vector<LabeledPose> worstPoses(const Character& c, const SparseWeights& weights, const std::vector<Pose>& poses,
                                    std::size_t shown) {
  return largest(poses, shown, CaptionNumber::Stretch,
                 [&](const Pose& pose) { return shapeStatistics(c.mesh, weights, {pose}).stretch_rms; });
}

std::vector<LabeledPose> differingPoses(const Character& c, const SparseWeights& a, const SparseWeights& b,
                                        const std::vector<Pose>& poses, std::size_t shown) {
  return largest(poses, shown, CaptionNumber::Distance, [&](const Pose& pose) {
    return compareWeights(c.mesh, a, b, {PoseSet{"", {pose}}}).sets[0].error.rms;
  });
}

std::vector<LabeledPose> testPosesOf(const Character& c, const std::vector<JointMotion>& motions,
                                     const Orientation& orientation) {
  std::vector<LabeledPose> out;
  for (rig::TestPose& pose : rig::testPoses(c.skeleton, motions, orientation))
    out.push_back({std::move(pose.name), std::move(pose.pose), std::move(pose.focus)});
  return out;
}

} // namespace skincells::render
