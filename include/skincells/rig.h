// Skeletons and poses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "skincells/math.h"

namespace skincells {

inline constexpr int kNoParent = -1;

struct Joint {
  std::string name;
  int parent = kNoParent;   // index of the nearest ancestor that is a joint
  Affine bind;              // joint space -> bind space, from the inverse bind matrix
  Affine rest;              // joint space -> bind space, from the node tree; differs from `bind` in some files
  bool bind_usable = true;  // false: the bind matrix was missing, singular or not finite; `bind` was repaired
  std::string human_bone;   // humanoid bone in a VRM file ("leftUpperArm"); empty: none
  int skeleton = 0;         // joints of different skeletons share neither a tree nor a skin
  std::optional<Vec3d> tip; // end of its bone in joint space, if a node that is no joint marks it ("Head_end")
};

// A forest of joints. Parents may come after their children; see parentFirstOrder.
struct Skeleton {
  std::vector<Joint> joints;

  int jointCount() const { return static_cast<int>(joints.size()); }
  Vec3d bindPosition(int joint) const { return joints[static_cast<std::size_t>(joint)].bind.translation(); }
  // Index of the first joint of that name, or -1.
  int find(std::string_view name) const;
};

// Every joint once, parents before children, otherwise in index order. There must be no cycles.
std::vector<int> parentFirstOrder(const Skeleton& skeleton);
// Child lists by joint.
std::vector<std::vector<int>> childrenOf(const Skeleton& skeleton);

// For each joint, the map from a bind-space position to its posed position if only this joint moved it.
using Pose = std::vector<Affine>;
Pose bindPose(const Skeleton& skeleton);

// The pose in which joint j rotates by turns[j], a rotation in bind-space axes about the joint's bind position, applied
// before the rotations of its ancestors: T_j = T_parent * [R_j | p_j - R_j p_j].
Pose poseFromTurns(const Skeleton& skeleton, const std::vector<Affine>& turns);

struct AngleInterval {
  double lo = 0, hi = 0; // degrees, lo <= hi

  friend bool operator==(const AngleInterval&, const AngleInterval&) = default;
};

// How far a joint rotates from the bind pose. Swing changes the direction of its bone, twist rotates about the bone.
struct JointRange {
  AngleInterval swing{0, 35};       // within 0 .. 180; with an axis, signed: within -180 .. 180
  AngleInterval twist{-17.5, 17.5}; // within -180 .. 180
  Vec3d axis{};                     // hinge axis in bind space; zero: no hinge, swings in every direction

  bool isHinge() const { return !(axis == Vec3d{}); }
  friend bool operator==(const JointRange&, const JointRange&) = default;
};

struct RandomPoseOptions {
  int count = 20;          // poses to make, 1 .. 10000
  double max_angle = 35.0; // largest rotation of a joint about its random axis, degrees, 0 .. 180
  std::uint64_t seed = 0;
};
std::vector<Pose> randomPoses(const Skeleton& skeleton, const RandomPoseOptions& options = {});

// An animation clip of a file.
struct ClipInfo {
  std::string name;
  double duration = 0; // seconds
  int channel_count = 0;
};

// Poses of one skeleton and where they come from.
struct PoseSet {
  std::string label; // "random", "clip", ...
  std::vector<Pose> poses;
};

// How far a joint rotates in random poses, and where that range comes from.
struct JointMotion {
  int joint = -1;
  std::string source = "generic"; // stable code: "rom-file", "clip", "humanoid", "garment", "generic"
  std::string detail;             // the entry of the range file, or the body part; else empty
  JointRange range;
};

// The plane in which a character mirrors itself: dot(normal, x) = offset in bind space.
struct MirrorPlane {
  Vec3d normal; // unit length
  double offset = 0;
  int joint_pairs = 0;      // pairs of two different joints
  double joint_share = 0;   // share of the deforming joints with a mirror image, 0 .. 1
  double surface_share = 0; // share of the surface with a mirror image, 0 .. 1
};

// The up and forward directions of a character in bind space.
struct Orientation {
  Vec3d up{0, 1, 0};
  Vec3d forward{0, 0, 1};
  bool up_known = false;      // up was derived from foot joints
  bool forward_known = false; // forward was derived from joint names
};
// Derives the axes from joint names (feet at the bottom, toes or head in front, left and right sides). Falls back to
// glTF's +y up and +z forward for what the names do not determine.
Orientation guessOrientation(const Skeleton& skeleton, const Box& mesh_bounds);

} // namespace skincells
