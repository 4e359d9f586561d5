#include "viz/page/pose_selection.h"

#include "rig/motion/joint_motions.h"
#include "viz/render/pose_choice.h"

namespace skincells::page {

PoseSelection selectPoses(const Character& c, const SparseWeights& weights, const std::vector<JointMotion>& motions,
                          const Orientation& orientation, const std::vector<Pose>& given) {
  constexpr int kWorstShown = 3;
  PoseSelection out;
  out.measured = given.empty() ? rig::posesWithin(c.skeleton, motions, kRandomPoses, 0) : given;
  out.ranges = rig::describe(motions);
  out.test = render::testPosesOf(c, motions, orientation);
  out.worst_count = kWorstShown;
  out.shown.push_back({"bind pose", bindPose(c.skeleton)});
  for (LabeledPose& pose : render::worstPoses(c, weights, out.measured, kWorstShown))
    out.shown.push_back(std::move(pose));
  return out;
}

std::string describe(const PoseSelection& poses) {
  return "The bind pose and the " + std::to_string(poses.worst_count) + " of " + std::to_string(poses.measured.size()) +
         " random poses that stretch the mesh most, with the stretch of the skin shown (rms of |ln(posed / bind edge "
         "length)|). Random poses stay within the ranges of motion: " +
         poses.ranges + ".";
}

} // namespace skincells::page
