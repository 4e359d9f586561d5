// Walking, with the joint angles of human gait.
#include "biped.h"

namespace skincells::examples {
namespace {

constexpr Vec3d kSideways{1, 0, 0}, kUp{0, 1, 0}, kForward{0, 0, 1};

void stepLeg(Gesture& g, const std::string& side, double phase) {
  // Eight phases of a step, from heel strike on. Positive: hip and ankle bent forward, knee flexed.
  const double hip = cycle({27, 20, 8, -6, -15, -4, 18, 28}, phase);
  const double knee = cycle({6, 16, 9, 6, 18, 52, 56, 22}, phase);
  const double ankle = cycle({2, -4, 4, 9, 2, -14, -2, 3}, phase);
  const double toe = cycle({-6, 0, 0, 4, 24, 6, 0, -4}, phase);
  g.turn("thigh" + side, kSideways, -hip);
  g.turn("shin" + side, kSideways, knee);
  g.turn("foot" + side, kSideways, -ankle);
  g.turn("toe" + side, kSideways, -toe);
}

void swingArm(Gesture& g, const std::string& side, double sign, double phase) {
  const double forward = swing(phase);
  g.turn("shoulder" + side, kUp, -sign * 4 * forward);
  g.turn("upper_arm" + side, kForward, -sign * 76);
  g.turn("upper_arm" + side, kSideways, -24 * forward - 2);
  g.turn("forearm" + side, kUp, -sign * (24 + 14 * forward));
  g.turn("hand" + side, kForward, -sign * 6);
  for (const std::string finger : {"index", "middle", "ring", "pinky"})
    for (const std::string segment : {"_01", "_02", "_03"}) g.turn(finger + segment + side, kForward, -sign * 16);
  g.turn("thumb_02" + side, kUp, sign * 10);
}

} // namespace

SceneAnimation walkClip(const Skeleton& t_pose) {
  const Motion walk = [](double phase, Gesture& g) {
    stepLeg(g, ".L", phase);
    stepLeg(g, ".R", phase + 0.5);
    swingArm(g, ".L", 1, phase - 0.25);
    swingArm(g, ".R", -1, phase + 0.25);
    const double stride = swing(phase + 0.25); // 1 at the left heel strike
    g.shift("hips", {0.014 * swing(phase + 0.02), -0.022 - 0.016 * swing(2 * phase + 0.2), 0});
    g.turn("hips", kUp, -5 * stride);
    g.turn("hips", kForward, 2.5 * swing(phase));
    g.turn("spine", kSideways, 3);
    g.turn("spine", kForward, -2 * swing(phase));
    g.turn("chest", kUp, 5 * stride);
    g.turn("upper_chest", kUp, 5 * stride);
    g.turn("neck", kUp, -3 * stride);
    g.turn("head", kSideways, -2 + swing(2 * phase));
  };
  return makeClip("walk", t_pose, 0, 1.0, walk);
}

} // namespace skincells::examples
