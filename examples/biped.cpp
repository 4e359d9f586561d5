#include "biped.h"

namespace skincells::examples {
namespace {

struct Finger {
  const char* name;
  Vec3d knuckle; // position in the left hand, relative to the wrist
  Vec3d direction;
  double lengths[3];
};

// The fingers are spread like a fan, so that they do not touch.
constexpr Finger kFingers[] = {
    {"thumb", {0.026, -0.010, 0.036}, {0.70, -0.20, 0.68}, {0.042, 0.034, 0.028}},
    {"index", {0.100, 0.002, 0.038}, {1, 0, 0.17}, {0.040, 0.027, 0.022}},
    {"middle", {0.106, 0.004, 0.013}, {1, 0, 0.03}, {0.044, 0.030, 0.024}},
    {"ring", {0.101, 0.002, -0.012}, {1, 0, -0.11}, {0.040, 0.028, 0.022}},
    {"pinky", {0.090, -0.002, -0.036}, {1, 0, -0.27}, {0.032, 0.021, 0.018}},
};

void addArms(SkeletonBuilder& b, double breadth) {
  const double reach = 0.165 * breadth;
  b.addPair("shoulder", "upper_chest", {0.03 * breadth, 1.415, -0.005});
  b.addPair("upper_arm", "shoulder", {reach, 1.415, -0.02});
  b.addPair("forearm", "upper_arm", {reach + 0.265, 1.415, -0.026});
  b.addPair("hand", "forearm", {reach + 0.505, 1.415, -0.018});
  for (const Finger& finger : kFingers) {
    Vec3d p = b.at("hand.L") + finger.knuckle;
    std::string parent = "hand";
    for (int k = 0; k < 3; ++k) {
      const std::string name = std::string(finger.name) + "_0" + std::to_string(k + 1);
      b.addPair(name, parent, p);
      p += normalized(finger.direction) * finger.lengths[k];
      parent = name;
    }
  }
}

void addLegs(SkeletonBuilder& b, double breadth) {
  const double apart = 0.09 * breadth;
  b.addPair("thigh", "hips", {apart, 0.92, 0});
  b.addPair("shin", "thigh", {apart + 0.012, 0.505, 0.008});
  b.addPair("foot", "shin", {apart + 0.018, 0.095, -0.022});
  b.addPair("toe", "foot", {apart + 0.026, 0.03, 0.095});
  b.addPair("toe_end", "toe", {apart + 0.032, 0.03, 0.165});
}

} // namespace

SkeletonBuilder bipedSkeleton(const BipedStyle& style) {
  SkeletonBuilder b("skeleton");
  b.add("hips", "skeleton", {0, 0.96, 0});
  b.add("spine", "hips", {0, 1.06, 0.002});
  b.add("chest", "spine", {0, 1.18, -0.004});
  b.add("upper_chest", "chest", {0, 1.30, -0.014});
  b.add("neck", "upper_chest", {0, 1.455, -0.022});
  b.add("head", "neck", {0, 1.545, -0.004});
  b.add("head_end", "head", {0, 1.79, 0});
  b.add("jaw", "head", {0, 1.60, 0.03});
  b.addPair("eye", "head", {0.037, 1.658, 0.072});
  addArms(b, style.breadth);
  addLegs(b, style.breadth);
  return b;
}

std::vector<SceneMaterial> bipedMaterials() {
  return {material("skin", 224, 172, 140, 0.6f),  material("shirt", 52, 120, 178, 0.9f),
          material("trousers", 58, 62, 82, 0.9f), material("shoes", 176, 66, 48, 0.6f),
          material("sole", 236, 232, 222, 0.8f),  material("hair", 74, 46, 32, 0.7f),
          material("eye", 244, 242, 238, 0.2f),   material("iris", 44, 34, 30, 0.2f),
          material("lips", 188, 112, 98, 0.6f),   material("belt", 92, 60, 38, 0.7f)};
}

Pose armsLowered(const Skeleton& t_pose, double degrees) {
  Gesture gesture(t_pose);
  gesture.turnPair("shoulder", {0, 0, 1}, -degrees * 0.1);
  gesture.turnPair("upper_arm", {0, 0, 1}, -degrees * 0.9);
  gesture.turnPair("forearm", {0, 1, 0}, -8);
  return poseFromTurns(t_pose, gesture.turns());
}

Biped rebound(const Biped& biped, const Pose& pose) {
  return {rebound(biped.skeleton, pose), biped.body.posed(pose), biped.face.posed(pose)};
}

std::vector<Part> bipedParts(const Biped& biped, int body_triangles) {
  return {{"body", polygonize(biped.body, biped.skeleton, {0.005, body_triangles})},
          {"face", polygonize(biped.face, biped.skeleton, {0.002, body_triangles / 15})}};
}

} // namespace skincells::examples
