// A fox: four legs, tail, ears, and a trot.
#include "characters.h"
#include "skeleton_builder.h"

namespace skincells::examples {
namespace {

enum { kFur, kCream, kDark, kNose, kEye };

constexpr Vec3d kSideways{1, 0, 0}, kUp{0, 1, 0}, kForward{0, 0, 1};

Skeleton foxSkeleton() {
  SkeletonBuilder b("skeleton");
  b.add("hips", "skeleton", {0, 0.50, -0.26});
  b.add("spine_01", "hips", {0, 0.515, -0.14});
  b.add("spine_02", "spine_01", {0, 0.515, 0.0});
  b.add("chest", "spine_02", {0, 0.51, 0.13});
  b.add("neck_01", "chest", {0, 0.545, 0.25});
  b.add("neck_02", "neck_01", {0, 0.615, 0.31});
  b.add("head", "neck_02", {0, 0.685, 0.36});
  b.add("jaw", "head", {0, 0.665, 0.40});
  b.addPair("ear_01", "head", {0.055, 0.76, 0.355});
  b.addPair("ear_02", "ear_01", {0.072, 0.82, 0.345});
  b.addPair("eye", "head", {0.043, 0.715, 0.435});
  b.add("tail_01", "hips", {0, 0.52, -0.34});
  const Vec3d tail[] = {{0, 0.50, -0.43}, {0, 0.465, -0.52}, {0, 0.435, -0.61}, {0, 0.425, -0.70}};
  for (int k = 0; k < 4; ++k) b.add("tail_0" + std::to_string(k + 2), "tail_0" + std::to_string(k + 1), tail[k]);
  b.addPair("scapula", "chest", {0.05, 0.53, 0.17});
  b.addPair("upper_arm", "scapula", {0.075, 0.41, 0.22});
  b.addPair("forearm", "upper_arm", {0.075, 0.285, 0.155});
  b.addPair("front_paw", "forearm", {0.075, 0.095, 0.165});
  b.addPair("front_toe", "front_paw", {0.075, 0.03, 0.195});
  b.addPair("thigh", "hips", {0.07, 0.455, -0.25});
  b.addPair("shin", "thigh", {0.08, 0.30, -0.19});
  b.addPair("hock", "shin", {0.078, 0.175, -0.315});
  b.addPair("hind_paw", "hock", {0.078, 0.045, -0.285});
  b.addPair("hind_toe", "hind_paw", {0.078, 0.028, -0.24});
  return b.build();
}

std::vector<SceneMaterial> foxMaterials() {
  return {material("fur", 214, 112, 48, 0.9f), material("cream", 246, 232, 210, 0.9f),
          material("dark fur", 62, 44, 40, 0.9f), material("nose", 30, 26, 28, 0.4f),
          material("eye", 34, 24, 20, 0.2f)};
}

void trunk(Sculptor& s) {
  s.paint(kFur).blend(0.07);
  s.add("hips", ellipsoid({0, 0.475, -0.25}, {0.098, 0.105, 0.12}));
  s.add("spine_01", ellipsoid({0, 0.475, -0.11}, {0.092, 0.097, 0.12}));
  s.add("spine_02", ellipsoid({0, 0.46, 0.02}, {0.1, 0.108, 0.12}));
  s.add("chest", ellipsoid({0, 0.45, 0.15}, {0.108, 0.128, 0.12}));
  s.add("neck_01", roundCone({0, 0.51, 0.2}, {0, 0.60, 0.295}, 0.098, 0.078));
  s.add("neck_02", roundCone({0, 0.60, 0.295}, {0, 0.68, 0.345}, 0.078, 0.07));
  s.paint(kCream).blend(0.03);
  s.add("chest", ellipsoid({0, 0.43, 0.235}, {0.074, 0.11, 0.07}));
  s.add("neck_01", ellipsoid({0, 0.53, 0.30}, {0.066, 0.085, 0.056}));
}

void head(Sculptor& s) {
  s.paint(kFur).blend(0.035);
  s.add("head", ellipsoid({0, 0.705, 0.375}, {0.088, 0.078, 0.085}));
  s.add("head", roundCone({0, 0.70, 0.42}, {0, 0.673, 0.535}, 0.056, 0.022));
  s.paint(kCream).blend(0.045);
  s.addTwice("head", ellipsoid({0.058, 0.672, 0.392}, {0.048, 0.036, 0.046}).turned(kForward, 15));
  s.add("jaw", roundCone({0, 0.66, 0.42}, {0, 0.655, 0.52}, 0.038, 0.016));
  s.paint(kFur).blend(0.016);
  s.addPair("ear_01", roundCone({0.05, 0.75, 0.358}, {0.071, 0.818, 0.348}, 0.052, 0.03).flattened(1, 0.55));
  s.paint(kDark).blend(0.01);
  s.addPair("ear_02", roundCone({0.070, 0.815, 0.348}, {0.081, 0.865, 0.342}, 0.0305, 0.009).flattened(1, 0.55));
}

void tail(Sculptor& s) {
  const double thick[] = {0.036, 0.056, 0.074, 0.078, 0.06};
  s.paint(kFur).blend(0.03);
  for (int k = 0; k < 3; ++k) {
    const std::string a = "tail_0" + std::to_string(k + 1), b = "tail_0" + std::to_string(k + 2);
    s.add(a, roundCone(s.at(a), s.at(b), thick[k], thick[k + 1]));
  }
  s.add("tail_04", roundCone(s.at("tail_04"), s.at("tail_05"), thick[3], thick[4]));
  s.paint(kCream).blend(0.02);
  s.add("tail_05", roundCone(s.at("tail_05"), s.at("tail_05") + Vec3d{0, 0.004, -0.085}, 0.062, 0.016));
}

void frontLegs(Sculptor& s) {
  const Vec3d shoulder = s.at("upper_arm.L"), elbow = s.at("forearm.L"), wrist = s.at("front_paw.L");
  s.paint(kFur).blend(0.04);
  s.addPair("scapula", ellipsoid({0.058, 0.47, 0.175}, {0.05, 0.1, 0.065}));
  s.addPair("upper_arm", roundCone(shoulder, elbow, 0.06, 0.043));
  s.addPair("forearm", roundCone(elbow, elbow + (wrist - elbow) * 0.5, 0.042, 0.034));
  s.paint(kDark).blend(0.014);
  s.addPair("forearm", roundCone(elbow + (wrist - elbow) * 0.5, wrist, 0.037, 0.03));
  s.addPair("front_paw", roundCone(wrist, s.at("front_toe.L") + Vec3d{0, 0.006, -0.01}, 0.03, 0.034));
  s.addPair("front_toe", ellipsoid(s.at("front_toe.L") + Vec3d{0, 0, 0.016}, {0.04, 0.03, 0.044}));
}

void hindLegs(Sculptor& s) {
  const Vec3d hip = s.at("thigh.L"), knee = s.at("shin.L"), hock = s.at("hock.L"), paw = s.at("hind_paw.L");
  s.paint(kFur).blend(0.04);
  s.addPair("thigh", ellipsoid(hip + (knee - hip) * 0.35, {0.06, 0.115, 0.088}).turned(kSideways, -14));
  s.addPair("thigh", roundCone(hip + (knee - hip) * 0.5, knee, 0.066, 0.05));
  s.addPair("shin", roundCone(knee, hock, 0.05, 0.031));
  s.paint(kDark).blend(0.016);
  s.addPair("hock", roundCone(hock, paw, 0.034, 0.029));
  s.addPair("hind_paw", roundCone(paw, s.at("hind_toe.L"), 0.031, 0.032));
  s.addPair("hind_toe", ellipsoid(s.at("hind_toe.L") + Vec3d{0, 0, 0.014}, {0.038, 0.029, 0.042}));
}

Field foxBody(const Skeleton& skeleton) {
  Field field;
  Sculptor s(field, skeleton);
  trunk(s);
  head(s);
  tail(s);
  frontLegs(s);
  hindLegs(s);
  s.blend(0.006);
  s.add("hips", beyond({}, {0, -1, 0}), true); // flat on the ground
  return field;
}

// Eyes and nose sit on the surface of the body.
Field foxFace(const Skeleton& skeleton, const Field& body) {
  Field field;
  Sculptor s(field, skeleton);
  s.paint(kNose);
  s.add("head", ellipsoid(body.project({0, 0.684, 0.56}), {0.0185, 0.015, 0.016}));
  s.paint(kEye);
  s.addPair("eye", ellipsoid(body.project({0.05, 0.722, 0.44}) - Vec3d{0.005, 0, 0.004}, {0.0165, 0.019, 0.0165}));
  return field;
}

void trotFront(Gesture& g, const std::string& side, double phase) {
  // Eight phases from touch-down on, degrees; forward is positive.
  const double reach = cycle({24, 14, 2, -12, -22, -8, 14, 26}, phase);
  g.turn("scapula" + side, kSideways, -0.4 * reach);
  g.turn("upper_arm" + side, kSideways, -0.6 * reach);
  g.turn("forearm" + side, kSideways, cycle({-4, 0, 0, 4, -2, -48, -52, -18}, phase));
  g.turn("front_paw" + side, kSideways, cycle({-4, -8, -6, -4, 14, 52, 40, 8}, phase));
}

void trotHind(Gesture& g, const std::string& side, double phase) {
  g.turn("thigh" + side, kSideways, -cycle({26, 16, 2, -14, -24, -8, 16, 28}, phase));
  g.turn("shin" + side, kSideways, cycle({4, 8, 4, -4, 4, 40, 38, 12}, phase));
  g.turn("hock" + side, kSideways, -cycle({2, 10, 6, -10, -4, 34, 30, 6}, phase));
  g.turn("hind_paw" + side, kSideways, cycle({-8, -10, -2, 14, 26, 20, 6, -6}, phase));
}

void trot(double phase, Gesture& g) {
  trotFront(g, ".L", phase);
  trotFront(g, ".R", phase + 0.5);
  trotHind(g, ".L", phase + 0.5);
  trotHind(g, ".R", phase);
  g.shift("hips", {0, -0.012 - 0.014 * swing(2 * phase + 0.2), 0});
  g.turn("hips", kSideways, 1.5 * swing(2 * phase));
  g.turn("spine_01", kUp, 3 * swing(phase));
  g.turn("chest", kUp, -3 * swing(phase));
  g.turn("neck_01", kSideways, 3 * swing(2 * phase + 0.1));
  g.turn("head", kSideways, -3 * swing(2 * phase + 0.1));
  g.turnPair("ear_01", kSideways, -6 + 4 * swing(2 * phase + 0.3));
  for (int k = 1; k <= 5; ++k) {
    const std::string joint = "tail_0" + std::to_string(k);
    g.turn(joint, kUp, 9 * swing(phase - 0.09 * k));
    g.turn(joint, kSideways, 3 * swing(2 * phase - 0.08 * k));
  }
}

} // namespace

Model makeQuadruped() {
  Model model;
  model.skeleton = foxSkeleton();
  model.materials = foxMaterials();
  const Field body = foxBody(model.skeleton);
  model.parts = {{"body", polygonize(body, model.skeleton, {0.005, 16000})},
                 {"face", polygonize(foxFace(model.skeleton, body), model.skeleton, {0.002, 800})}};
  model.clips = {makeClip("trot", model.skeleton, 0, 0.8, trot)};
  return model;
}

} // namespace skincells::examples
