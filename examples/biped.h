// The human figure that several examples share: its skeleton, its body and its walk, all designed in T-pose.
#pragma once

#include "implicit.h"
#include "model.h"
#include "skeleton_builder.h"

namespace skincells::examples {

// Materials of the body, as indices into `bipedMaterials()`. Characters append their own after kMaterialCount.
namespace cloth {
enum { kSkin, kShirt, kTrousers, kShoes, kSole, kHair, kEye, kIris, kLips, kBelt, kMaterialCount };
}

struct BipedStyle {
  double breadth = 1;     // relative width of shoulders and trunk
  double strength = 1;    // relative thickness of limbs
  bool long_hair = false; // tied up in a bun
  bool tights = false;    // and slippers and bare arms, instead of trousers, shoes and sleeves
};

struct Biped {
  Skeleton skeleton;
  Field body; // one closed surface
  Field face; // eyes, brows and lips: separate small closed surfaces
};

// The joints of the figure; costumes may add theirs before it is built.
SkeletonBuilder bipedSkeleton(const BipedStyle& style);
std::vector<SceneMaterial> bipedMaterials();
Biped makeBiped(const BipedStyle& style, const Skeleton& skeleton);

// Rotations that lower the arms of the T-pose by this many degrees; the skeleton must be in T-pose.
Pose armsLowered(const Skeleton& t_pose, double degrees);
// The figure in another bind pose.
Biped rebound(const Biped& biped, const Pose& pose);
// The parts "body" and "face".
std::vector<Part> bipedParts(const Biped& biped, int body_triangles);

// A walk on the spot, one second per cycle. The clip fits every bind pose of the skeleton.
SceneAnimation walkClip(const Skeleton& t_pose);

} // namespace skincells::examples
