// Skeletons and poses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skincells/math.h"

namespace skincells {

inline constexpr int kNoParent = -1;

struct Joint {
  std::string name;
  int parent = kNoParent;  // index of the nearest ancestor that is a joint
  Affine bind;             // joint space -> bind space, from the inverse bind matrix
  Affine rest;             // joint space -> bind space, from the node tree (equals `bind` in tidy files)
  bool bind_usable = true; // false: the bind matrix was missing, singular or not finite; `bind` was repaired
  std::string human_bone;  // what a VRM file says that it is ("leftUpperArm"); empty: it says nothing
};

// A forest of joints. Parents may stand after their children; `parentFirstOrder` sorts that out.
struct Skeleton {
  std::vector<Joint> joints;

  int jointCount() const { return static_cast<int>(joints.size()); }
  Vec3d bindPosition(int joint) const { return joints[static_cast<std::size_t>(joint)].bind.translation(); }
  // Index of the first joint of that name, or -1.
  int find(std::string_view name) const;
};

// Every joint once, parents before children, otherwise in index order. Cycles must have been refused before.
std::vector<int> parentFirstOrder(const Skeleton& skeleton);
// Child lists by joint.
std::vector<std::vector<int>> childrenOf(const Skeleton& skeleton);

// For each joint, the map that takes a bind-space position to where that joint alone would put it.
using Pose = std::vector<Affine>;
Pose bindPose(const Skeleton& skeleton);

// The pose in which each joint j is turned by `turn[j]`: a rotation in bind-space axes about the joint's own
// bind position, before its ancestors' turns are applied (T_j = T_parent * [R_j | p_j - R_j p_j]).
Pose poseFromTurns(const Skeleton& skeleton, const std::vector<Affine>& turns);

struct AngleInterval {
  double lo = 0, hi = 0; // degrees, lo <= hi

  friend bool operator==(const AngleInterval&, const AngleInterval&) = default;
};

// How far a joint turns from the bind pose. Swing bends its bone away from where it is, twist turns it about itself.
struct JointRange {
  AngleInterval swing{0, 35};       // within 0 .. 180; with an axis, signed: within -180 .. 180
  AngleInterval twist{-17.5, 17.5}; // within -180 .. 180
  Vec3d axis{};                     // of a hinge, in bind space; zero: it swings every way

  bool isHinge() const { return !(axis == Vec3d{}); }
  friend bool operator==(const JointRange&, const JointRange&) = default;
};

struct RandomPoseOptions {
  int count = 20;          // poses to make, 1 .. 10000
  double max_angle = 35.0; // each joint turns uniformly up to this angle about a random axis, degrees, 0 .. 180
  std::uint64_t seed = 0;
};
std::vector<Pose> randomPoses(const Skeleton& skeleton, const RandomPoseOptions& options = {});

// A stretch of animation.
struct ClipInfo {
  std::string name;
  double duration = 0; // seconds
  int channel_count = 0;
};

// Poses with the joints they are for, as exchanged in pose files.
struct PoseSet {
  std::string label; // "random", "clip", ...
  std::vector<Pose> poses;
};

// How far a joint turns in random poses, and how that is known.
struct JointMotion {
  int joint = -1;
  std::string source = "generic"; // stable code: "rom-file", "clip", "humanoid", "generic"
  std::string detail;             // the entry of the range file, or the part of the body; else empty
  JointRange range;
};

// The plane in which a character mirrors itself: dot(normal, x) = offset in bind space.
struct MirrorPlane {
  Vec3d normal; // of unit length
  double offset = 0;
  int joint_pairs = 0;      // two different joints each
  double joint_share = 0;   // of the deforming joints that have a mirror image, 0 .. 1
  double surface_share = 0; // of the surface, 0 .. 1
};

// Which way a character stands in bind space.
struct Orientation {
  Vec3d up{0, 1, 0};
  Vec3d forward{0, 0, 1};
  bool up_known = false; // feet told it
};
// Reads the standing axes off joint names (feet below, toes or head in front, left beside right) where there are
// any, and keeps glTF's +y up and +z forward for what the names do not tell.
Orientation guessOrientation(const Skeleton& skeleton, const Box& mesh_bounds);

} // namespace skincells
