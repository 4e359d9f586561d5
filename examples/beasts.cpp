// A bear and a lion: heavier animals on one plan of joints.
#include "characters.h"
#include "skeleton_builder.h"

namespace skincells::examples {
namespace {

enum { kCoat, kLight, kMane, kDark, kEye };

constexpr Vec3d kSideways{1, 0, 0}, kUp{0, 1, 0};

// What differs between them, in meters.
struct Beast {
  double withers;       // height of the back
  double length;        // from hips to chest
  double girth;         // radius of the trunk
  double leg;           // radius of the upper legs
  double paw;           // radius of the feet
  Vec3d head;           // from the chest
  double skull, muzzle; // radius of the head, length of the nose
  int tail_joints;
  double tail_step; // length of a tail bone
  bool mane;
  double wide; // distance of the legs from the middle
};
constexpr Beast kBear{0.92, 0.80, 0.27, 0.135, 0.085, {0, 0.10, 0.42}, 0.165, 0.17, 1, 0.07, false, 0.16};
constexpr Beast kLion{0.84, 0.82, 0.185, 0.095, 0.068, {0, 0.22, 0.34}, 0.125, 0.14, 6, 0.14, true, 0.115};

std::string numbered(const std::string& stem, int k) {
  return stem + "_0" + std::to_string(k);
}

Skeleton skeletonOf(const Beast& b) {
  SkeletonBuilder s("skeleton");
  const double back = b.withers - 0.45 * b.girth, hip = -b.length / 2, chest = b.length / 2;
  s.add("hips", "skeleton", {0, back, hip});
  s.add("spine_01", "hips", {0, back + 0.02, hip + b.length * 0.3});
  s.add("spine_02", "spine_01", {0, back + 0.02, hip + b.length * 0.65});
  s.add("chest", "spine_02", {0, back, chest});
  s.add("neck", "chest", Vec3d{0, back, chest} + b.head * 0.45);
  s.add("head", "neck", Vec3d{0, back, chest} + b.head);
  const Vec3d head = s.at("head");
  s.add("jaw", "head", head + Vec3d{0, -0.45 * b.skull, 0.35 * b.skull});
  s.addPair("ear", "head", head + Vec3d{0.62 * b.skull, 0.75 * b.skull, -0.1 * b.skull});
  for (int k = 1; k <= b.tail_joints; ++k)
    s.add(numbered("tail", k), k == 1 ? "hips" : numbered("tail", k - 1),
          {0, back - 0.02 - 0.6 * b.tail_step * (k - 1), hip - 0.75 * b.girth - 0.75 * b.tail_step * (k - 1)});
  s.addPair("scapula", "chest", {b.wide * 0.6, back - 0.02, chest - 0.02});
  s.addPair("upper_arm", "scapula", {b.wide, back - 0.62 * b.girth, chest + 0.05});
  s.addPair("forearm", "upper_arm", {b.wide * 1.05, 0.46 * b.withers, chest - 0.04});
  s.addPair("front_paw", "forearm", {b.wide, 0.13 * b.withers, chest - 0.01});
  s.addPair("front_toe", "front_paw", {b.wide, 0.05 * b.withers, chest + 0.06});
  s.addPair("thigh", "hips", {b.wide * 0.9, back - 0.35 * b.girth, hip});
  s.addPair("shin", "thigh", {b.wide * 1.1, 0.50 * b.withers, hip + 0.10});
  s.addPair("hock", "shin", {b.wide * 1.05, 0.24 * b.withers, hip - 0.10});
  s.addPair("hind_paw", "hock", {b.wide, 0.07 * b.withers, hip - 0.05});
  s.addPair("hind_toe", "hind_paw", {b.wide, 0.045 * b.withers, hip + 0.03});
  return s.build();
}

void trunk(Sculptor& s, const Beast& b) {
  const Vec3d drop{0, -0.45 * b.girth, 0};
  const double along = 0.32 * b.length;
  s.paint(kCoat).blend(0.12);
  s.add("hips", ellipsoid(s.at("hips") + drop, {b.girth, b.girth, along}));
  s.add("spine_01", ellipsoid(s.at("spine_01") + drop, {b.girth, b.girth, along}));
  s.add("spine_02", ellipsoid(s.at("spine_02") + drop, {b.girth, b.girth * 1.03, along}));
  s.add("chest", ellipsoid(s.at("chest") + drop, {b.girth * 0.95, b.girth * 1.05, along * 0.9}));
  s.add("neck", roundCone(s.at("chest") + drop * 0.3, s.at("neck"), b.girth * 0.75, b.skull * 1.05));
  s.add("neck", roundCone(s.at("neck"), s.at("head"), b.skull * 1.05, b.skull * 0.9));
  if (!b.mane) return;
  s.paint(kMane).blend(0.05);
  s.add("neck", ellipsoid(s.at("neck") + Vec3d{0, -0.02, 0.03}, {b.skull * 1.55, b.skull * 1.75, b.skull * 1.2}));
  s.add("head", ellipsoid(s.at("head") + Vec3d{0, 0.01, -0.05}, {b.skull * 1.4, b.skull * 1.5, b.skull * 0.75}));
}

void head(Sculptor& s, const Beast& b) {
  const Vec3d at = s.at("head"), nose = at + Vec3d{0, -0.3 * b.skull, 0.75 * b.skull};
  s.paint(kCoat).blend(0.03);
  s.add("head", ellipsoid(at + Vec3d{0, 0, 0.03}, {b.skull, b.skull * 0.95, b.skull}));
  s.paint(kLight).blend(0.035);
  s.add("head", roundCone(nose, nose + Vec3d{0, -0.02, b.muzzle}, 0.5 * b.skull, 0.36 * b.skull));
  s.add("jaw",
        roundCone(s.at("jaw"), nose + Vec3d{0, -0.3 * b.skull, b.muzzle * 0.85}, 0.36 * b.skull, 0.24 * b.skull));
  s.paint(kCoat).blend(0.015);
  s.addPair("ear",
            ellipsoid(s.at("ear.L") + Vec3d{0, 0.2 * b.skull, 0}, {0.3 * b.skull, 0.34 * b.skull, 0.14 * b.skull}));
  s.paint(kDark).blend(0.008);
  s.add("head",
        ellipsoid(nose + Vec3d{0, 0.02, b.muzzle + 0.3 * b.skull}, {0.2 * b.skull, 0.15 * b.skull, 0.13 * b.skull}));
}

void legs(Sculptor& s, const Beast& b) {
  const auto p = [&](const char* stem) { return s.at(std::string(stem) + ".L"); };
  const double thin = 0.62 * b.leg;
  s.paint(kCoat).blend(0.05);
  s.addPair("scapula", ellipsoid((p("scapula") + p("upper_arm")) * 0.5, {b.leg * 0.9, b.girth * 0.6, b.leg * 1.3}));
  s.addPair("upper_arm", roundCone(p("upper_arm"), p("forearm"), b.leg, b.leg * 0.8));
  s.addPair("forearm", roundCone(p("forearm"), p("front_paw"), b.leg * 0.8, thin));
  s.addPair("thigh", roundCone(p("thigh"), p("shin"), b.leg * 1.35, b.leg * 0.9));
  s.addPair("shin", roundCone(p("shin"), p("hock"), b.leg * 0.88, thin * 0.9));
  s.addPair("hock", roundCone(p("hock"), p("hind_paw"), thin * 0.95, thin * 0.85));
  s.blend(0.03);
  for (const char* side : {"front", "hind"}) {
    const std::string paw = std::string(side) + "_paw", toe = std::string(side) + "_toe";
    const Vec3d to = s.at(toe + ".L");
    s.addPair(paw, roundCone(s.at(paw + ".L"), to, thin, b.paw * 0.85));
    s.addPair(toe, ellipsoid(to + Vec3d{0, 0, 0.02}, {b.paw, b.paw * 0.62, b.paw * 1.1}));
  }
}

void tail(Sculptor& s, const Beast& b) {
  s.paint(kCoat).blend(0.02);
  if (b.tail_joints == 1) {
    s.add("tail_01", ellipsoid(s.at("tail_01") + Vec3d{0, 0, -0.02}, {0.06, 0.06, 0.07}));
    return;
  }
  for (int k = 1; k < b.tail_joints; ++k)
    s.add(numbered("tail", k), roundCone(s.at(numbered("tail", k)), s.at(numbered("tail", k + 1)), 0.036, 0.032));
  const Vec3d tip = s.at(numbered("tail", b.tail_joints));
  s.paint(kMane).blend(0.015);
  s.add(numbered("tail", b.tail_joints), ellipsoid(tip + Vec3d{0, -0.03, -0.02}, {0.055, 0.075, 0.06}));
}

Field bodyOf(const Beast& b, const Skeleton& skeleton) {
  Field field;
  Sculptor s(field, skeleton);
  trunk(s, b);
  head(s, b);
  legs(s, b);
  tail(s, b);
  s.blend(0.008);
  s.add("hips", beyond({}, {0, -1, 0}), true); // flat on the ground
  return field;
}

Field eyesOf(const Beast& b, const Skeleton& skeleton, const Field& body) {
  Field field;
  Sculptor s(field, skeleton);
  s.paint(kEye);
  const Vec3d at = s.at("head") + Vec3d{0.42 * b.skull, 0.25 * b.skull, 0.95 * b.skull};
  s.addTwice("head", ellipsoid(body.project(at), Vec3d{0.12, 0.13, 0.12} * b.skull));
  return field;
}

void walk(double phase, Gesture& g) {
  for (const auto& [side, at] : {std::pair{std::string(".L"), phase}, std::pair{std::string(".R"), phase + 0.5}}) {
    g.turn("upper_arm" + side, kSideways, -cycle({18, 8, -4, -16, -8, 6, 16, 20}, at));
    g.turn("forearm" + side, kSideways, cycle({-4, 0, 2, -4, -34, -38, -20, -8}, at));
    g.turn("front_paw" + side, kSideways, cycle({-4, -6, 0, 10, 34, 26, 8, 0}, at));
    g.turn("thigh" + side, kSideways, -cycle({-16, -8, 6, 16, 18, 8, -4, -14}, at));
    g.turn("shin" + side, kSideways, cycle({0, 26, 28, 10, 2, 0, 4, 2}, at));
    g.turn("hock" + side, kSideways, -cycle({2, 22, 20, 6, 2, 4, 6, 2}, at));
  }
  g.turn("spine_02", kUp, 3 * swing(phase));
  g.turn("neck", kSideways, 4 * swing(2 * phase + 0.1));
  g.turn("head", kUp, 4 * swing(phase + 0.2));
  g.turn("tail_01", kUp, 10 * swing(phase + 0.3));
}

Model makeBeast(const Beast& b, std::vector<SceneMaterial> materials, double cell, int triangles) {
  Model model;
  model.skeleton = skeletonOf(b);
  model.materials = std::move(materials);
  const Field body = bodyOf(b, model.skeleton);
  model.parts = {{"body", polygonize(body, model.skeleton, {cell, triangles})},
                 {"eyes", polygonize(eyesOf(b, model.skeleton, body), model.skeleton, {0.003, 500})}};
  model.clips = {makeClip("walk", model.skeleton, 0, 1.2, walk)};
  return model;
}

std::vector<SceneMaterial> bearMaterials() {
  return {material("fur", 110, 74, 46, 0.9f), material("muzzle", 172, 130, 90, 0.9f),
          material("mane", 96, 62, 38, 0.9f), material("nose", 28, 24, 24, 0.4f), material("eye", 24, 18, 16, 0.2f)};
}

} // namespace

Model makeBear() {
  return makeBeast(kBear, bearMaterials(), 0.010, 16000);
}

Model makeFineBear() {
  return makeBeast(kBear, bearMaterials(), 0.006, 64000);
}

Model makeLion() {
  return makeBeast(kLion,
                   {material("fur", 206, 160, 96, 0.9f), material("muzzle", 232, 208, 166, 0.9f),
                    material("mane", 122, 72, 36, 0.9f), material("nose", 60, 36, 32, 0.4f),
                    material("eye", 34, 24, 16, 0.2f)},
                   0.009, 16000);
}

} // namespace skincells::examples
