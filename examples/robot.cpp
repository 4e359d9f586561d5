// A robot of separate rigid plates. Its skeleton has helpers that must not deform: IK targets, poles, a control
// joint and end joints.
#include "characters.h"
#include "skeleton_builder.h"

namespace skincells::examples {
namespace {

enum { kPaint, kMetal, kDark, kGlow };

Skeleton robotSkeleton() {
  SkeletonBuilder b("skeleton");
  b.add("ctrl_root", "skeleton", {0, 0, 0});
  b.add("hips", "ctrl_root", {0, 0.86, 0});
  b.add("spine", "hips", {0, 0.98, 0});
  b.add("chest", "spine", {0, 1.12, 0});
  b.add("neck", "chest", {0, 1.42, 0});
  b.add("head", "neck", {0, 1.50, 0});
  b.add("head_end", "head", {0, 1.78, 0});
  b.add("antenna", "head", {0.09, 1.72, -0.03});
  b.add("antenna_end", "antenna", {0.09, 1.90, -0.03});
  b.addPair("shoulder", "chest", {0.20, 1.34, 0});
  b.addPair("upper_arm", "shoulder", {0.29, 1.34, 0});
  b.addPair("forearm", "upper_arm", {0.36, 1.06, 0});
  b.addPair("hand", "forearm", {0.40, 0.78, 0.02});
  b.addPair("claw_01", "hand", {0.44, 0.70, 0.03});
  b.addPair("claw_01_end", "claw_01", {0.43, 0.60, 0.03});
  b.addPair("claw_02", "hand", {0.37, 0.70, 0.03});
  b.addPair("claw_02_end", "claw_02", {0.38, 0.60, 0.03});
  b.addPair("thigh", "hips", {0.13, 0.82, 0});
  b.addPair("shin", "thigh", {0.14, 0.47, 0.01});
  b.addPair("foot", "shin", {0.145, 0.11, -0.01});
  b.addPair("toe", "foot", {0.145, 0.04, 0.11});
  b.addPair("toe_end", "toe", {0.145, 0.04, 0.2});
  b.addPair("ik_foot", "ctrl_root", {0.145, 0.11, -0.01});
  b.addPair("pole_knee", "ctrl_root", {0.14, 0.47, 0.6});
  b.addPair("ik_hand", "ctrl_root", {0.40, 0.78, 0.02});
  b.addPair("pole_elbow", "ctrl_root", {0.36, 1.06, -0.6});
  return b.build();
}

std::vector<SceneMaterial> robotMaterials() {
  return {material("paint", 238, 178, 60, 0.5f, 0.2f), material("metal", 150, 158, 168, 0.4f, 0.7f),
          material("rubber", 52, 54, 60, 0.9f), material("glow", 92, 220, 236, 0.2f)};
}

// Each plate is a separate surface that follows one joint.
class Assembler {
public:
  explicit Assembler(const Skeleton& skeleton) : skeleton_(&skeleton) {}

  std::vector<Part> run() {
    trunk();
    head();
    arms();
    legs();
    return std::move(parts_);
  }

private:
  struct Piece {
    int material;
    Shape shape;
  };

  void plate(const std::string& name, const std::string& joint, int triangles, const std::vector<Piece>& pieces) {
    Field field;
    Sculptor s(field, *skeleton_);
    s.blend(0.004);
    for (const Piece& p : pieces) s.paint(p.material).add(joint, p.shape);
    parts_.push_back({name, polygonize(field, *skeleton_, {0.006, triangles})});
  }

  // The plate on the left joint and its mirror image on the right one.
  void platePair(const std::string& name, const std::string& joint, int triangles, const std::vector<Piece>& pieces) {
    plate(name + ".L", joint + ".L", triangles, pieces);
    std::vector<Piece> right = pieces;
    for (Piece& p : right) p.shape = p.shape.mirrored();
    plate(name + ".R", joint + ".R", triangles, right);
  }

  Vec3d at(const std::string& joint) const { return skeleton_->bindPosition(skeleton_->find(joint)); }

  // A rod between two joints that stops short of both.
  Shape rod(const std::string& from, const std::string& to, double start, double stop, double r0, double r1) const {
    const Vec3d a = at(from), d = at(to) - a;
    return cappedCone(a + d * start, a + d * stop, r0, r1, 0.012);
  }

  void trunk() {
    plate("pelvis", "hips", 700,
          {{kPaint, box({0, 0.86, 0}, {0.13, 0.065, 0.095}, 0.03)},
           {kMetal, cappedCone({-0.155, 0.83, 0}, {0.155, 0.83, 0}, 0.05, 0.05, 0.01)}});
    plate("waist", "spine", 400, {{kDark, cappedCone({0, 0.91, 0}, {0, 1.06, 0}, 0.075, 0.085, 0.02)}});
    plate("torso", "chest", 2800,
          {{kPaint, box({0, 1.235, 0}, {0.185, 0.155, 0.125}, 0.05)},
           {kPaint, box({0, 1.29, 0.07}, {0.15, 0.09, 0.085}, 0.03)},
           {kMetal, box({0, 1.22, -0.13}, {0.11, 0.12, 0.045}, 0.025)},
           {kGlow, cappedCone({0, 1.295, 0.14}, {0, 1.295, 0.163}, 0.042, 0.042, 0.008)},
           {kDark, box({0, 1.15, 0.115}, {0.08, 0.02, 0.022}, 0.008)}});
  }

  void head() {
    plate("neck", "neck", 200, {{kDark, cappedCone({0, 1.38, 0}, {0, 1.50, 0}, 0.05, 0.045, 0.01)}});
    plate("head", "head", 2200,
          {{kPaint, box({0, 1.615, 0}, {0.135, 0.115, 0.12}, 0.055)},
           {kDark, box({0, 1.62, 0.1}, {0.1, 0.055, 0.032}, 0.03)},
           {kGlow, ellipsoid({0.046, 1.625, 0.126}, {0.024, 0.028, 0.014})},
           {kGlow, ellipsoid({-0.046, 1.625, 0.126}, {0.024, 0.028, 0.014})},
           {kMetal, cappedCone({0.12, 1.61, 0}, {0.165, 1.61, 0}, 0.048, 0.042, 0.01)},
           {kMetal, cappedCone({-0.12, 1.61, 0}, {-0.165, 1.61, 0}, 0.048, 0.042, 0.01)}});
    plate("antenna", "antenna", 260,
          {{kMetal, roundCone({0.09, 1.71, -0.03}, {0.09, 1.86, -0.03}, 0.012, 0.01)},
           {kGlow, ellipsoid({0.09, 1.875, -0.03}, {0.024, 0.024, 0.024})}});
  }

  void arms() {
    platePair("shoulder", "shoulder", 400, {{kMetal, cappedCone({0.17, 1.34, 0}, {0.25, 1.34, 0}, 0.05, 0.06, 0.012)}});
    platePair("upper_arm", "upper_arm", 900,
              {{kPaint, ellipsoid({0.295, 1.345, 0}, {0.085, 0.088, 0.09})},
               {kMetal, rod("upper_arm.L", "forearm.L", 0.2, 0.86, 0.046, 0.042)}});
    platePair("forearm", "forearm", 1000,
              {{kDark, ellipsoid(at("forearm.L"), {0.056, 0.056, 0.056})},
               {kPaint, rod("forearm.L", "hand.L", 0.2, 0.9, 0.058, 0.074)},
               {kMetal, rod("forearm.L", "hand.L", 0.8, 0.95, 0.079, 0.079)}});
    platePair("hand", "hand", 500,
              {{kDark, ellipsoid(at("hand.L"), {0.045, 0.045, 0.045})},
               {kMetal, box({0.405, 0.725, 0.026}, {0.058, 0.03, 0.04}, 0.014)}});
    for (const std::string claw : {"claw_01", "claw_02"})
      platePair(claw, claw, 300,
                {{kDark, roundCone(at(claw + ".L"), at(claw + "_end.L"), 0.021, 0.012).flattened(1, 1.4)}});
  }

  void legs() {
    platePair("thigh", "thigh", 700,
              {{kDark, ellipsoid(at("thigh.L"), {0.062, 0.062, 0.062})},
               {kPaint, rod("thigh.L", "shin.L", 0.16, 0.84, 0.078, 0.062)}});
    platePair("shin", "shin", 1100,
              {{kMetal, cappedCone({0.075, 0.47, 0.01}, {0.205, 0.47, 0.01}, 0.05, 0.05, 0.01)},
               {kPaint, rod("shin.L", "foot.L", 0.16, 0.88, 0.066, 0.088)},
               {kDark, box(at("shin.L") + Vec3d{0, -0.005, 0.052}, {0.04, 0.055, 0.02}, 0.015)}});
    platePair("foot", "foot", 600,
              {{kDark, ellipsoid(at("foot.L"), {0.05, 0.05, 0.05})},
               {kMetal, box({0.145, 0.045, 0.005}, {0.078, 0.045, 0.1}, 0.022)}});
    platePair("toe", "toe", 400, {{kPaint, box({0.145, 0.038, 0.155}, {0.082, 0.038, 0.046}, 0.026)}});
  }

  const Skeleton* skeleton_;
  std::vector<Part> parts_;
};

void wave(double phase, Gesture& g) {
  const Vec3d sideways{1, 0, 0}, up{0, 1, 0}, forward{0, 0, 1};
  g.shift("hips", {0, -0.012 + 0.008 * swing(2 * phase), 0});
  g.turn("spine", up, 6 * swing(phase));
  g.turn("chest", forward, 2.5 * swing(phase));
  g.turn("head", up, -10 * swing(phase));
  g.turn("head", forward, 6 * swing(phase + 0.2));
  g.turn("antenna", forward, 8 * swing(3 * phase));
  g.turn("upper_arm.L", forward, 95);
  g.turn("forearm.L", forward, 55 + 22 * swing(2 * phase));
  g.turn("claw_01.L", forward, 14 * swing(2 * phase + 0.25));
  g.turn("claw_02.L", forward, -14 * swing(2 * phase + 0.25));
  g.turn("upper_arm.R", sideways, -10 * swing(phase));
  g.turn("forearm.R", sideways, -22);
  g.turnPair("thigh", sideways, -4 + 2 * swing(2 * phase));
  g.turnPair("shin", sideways, 8 - 4 * swing(2 * phase));
  g.turnPair("foot", sideways, -4 + 2 * swing(2 * phase));
  g.shift("ik_hand.L", {0.42, 0.9 + 0.05 * swing(2 * phase), 0.04});
}

} // namespace

Model makeRobot() {
  Model model;
  model.skeleton = robotSkeleton();
  model.materials = robotMaterials();
  model.parts = Assembler(model.skeleton).run();
  model.clips = {makeClip("wave", model.skeleton, 0, 2.0, wave)};
  return model;
}

} // namespace skincells::examples
