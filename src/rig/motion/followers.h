// Joints that hang on the wrong place in the tree: IK feet and hands, roots beside the main one.
#pragma once

#include <string>
#include <vector>

#include "skincells/rig.h"

namespace skincells::rig {

// A joint that follows another one in random poses, although the tree does not say so.
struct Follower {
  int joint = -1, leader = -1;
};

// Two kinds of joints are animated to follow a limb, and tear off it if they move by themselves:
// - a foot, a hand or a control directly below a root, where the last joint of a chain is near: it follows that joint;
// - a root beside the one with the most joints: it follows such a joint, or else the nearest joint of that tree.
// Depends on the skeleton alone. Sorted by joint; no leader is below a follower.
std::vector<Follower> findFollowers(const Skeleton& skeleton);

// The skeleton with each follower below its leader.
Skeleton withFollowers(Skeleton skeleton);

// "4 detached joints follow the limbs they belong to (Foot.L, Foot.R, ...)"; empty for none.
std::string describeFollowers(const Skeleton& skeleton);

} // namespace skincells::rig
