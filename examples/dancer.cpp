// The human figure in a skirt that hangs from the hips by a ring of bone chains.
#include <cmath>

#include "biped.h"
#include "characters.h"

namespace skincells::examples {
namespace {

constexpr int kChains = 8, kLinks = 3;
constexpr double kWaist = 1.035, kHem = 0.56; // heights, meters
enum { kSkirt = cloth::kMaterialCount };

std::string link(int chain, int index) {
  return "skirt_" + std::to_string(chain) + "_0" + std::to_string(index + 1);
}

Vec3d outward(double turn) {
  return {std::sin(2 * M_PI * turn), 0, std::cos(2 * M_PI * turn)};
}

// The skirt without its pleats; `turn` is the angle around it, `v` goes from the waist to the hem.
Vec3d bellPoint(double turn, double v) {
  const double flare = 0.30 * v * (1.25 - 0.25 * v) + 0.035 * std::sin(M_PI * std::fmin(v, 1.0) * 0.9);
  const Vec3d d = outward(turn);
  return {d.x * (0.131 + flare), kWaist + (kHem - kWaist) * v, d.z * (0.112 + flare)};
}

Vec3d skirtPoint(double u, double v) {
  return bellPoint(u, v) + outward(u) * (0.022 * v * std::cos(2 * M_PI * 16 * u));
}

Skeleton dancerSkeleton(const BipedStyle& style) {
  SkeletonBuilder b = bipedSkeleton(style);
  constexpr double kAlong[kLinks] = {0.06, 0.38, 0.7};
  for (int c = 0; c < kChains; ++c)
    for (int k = 0; k < kLinks; ++k)
      b.add(link(c, k), k == 0 ? "hips" : link(c, k - 1), bellPoint(double(c) / kChains, kAlong[k]));
  return b.build();
}

std::vector<SceneMaterial> dancerMaterials() {
  std::vector<SceneMaterial> m = bipedMaterials();
  m[cloth::kShirt] = material("bodice", 118, 44, 96, 0.7f);
  m[cloth::kTrousers] = material("tights", 232, 196, 186, 0.8f);
  m[cloth::kShoes] = material("slippers", 214, 128, 140, 0.6f);
  m[cloth::kHair] = material("hair", 40, 28, 30, 0.6f);
  m[cloth::kBelt] = material("sash", 226, 184, 96, 0.6f);
  m.push_back(material("skirt", 150, 58, 120, 0.8f));
  m.back().double_sided = true;
  return m;
}

void twirl(double phase, Gesture& g) {
  const Vec3d sideways{1, 0, 0}, up{0, 1, 0}, forward{0, 0, 1};
  g.turn("hips", up, 360 * phase);
  g.shift("hips", {0, 0.012 * swing(2 * phase), 0});
  g.turn("spine", forward, 3 * swing(phase));
  g.turn("chest", up, 6 * swing(phase));
  g.turn("head", up, -18 * swing(phase));
  g.turnPair("upper_arm", forward, 52 + 5 * swing(phase));
  g.turnPair("forearm", forward, 48);
  g.turnPair("hand", forward, 14);
  g.turn("thigh.R", forward, -20);
  g.turn("thigh.R", sideways, -48 + 6 * swing(phase));
  g.turn("shin.R", sideways, 96 - 8 * swing(phase));
  g.turn("foot.R", sideways, 40);
  for (int c = 0; c < kChains; ++c) {
    const double around = double(c) / kChains;
    const Vec3d lift = cross(outward(around), up);
    const double wave = swing(2 * phase - around);
    g.turn(link(c, 0), lift, 16 + 5 * wave);
    g.turn(link(c, 1), lift, 9 + 5 * swing(2 * phase - around - 0.12));
    g.turn(link(c, 2), lift, -4 + 7 * swing(2 * phase - around - 0.24));
  }
}

} // namespace

Model makeDancer() {
  const BipedStyle style{.breadth = 0.88, .strength = 0.86, .long_hair = true, .tights = true};
  const Biped t_pose = makeBiped(style, dancerSkeleton(style));
  const Biped figure = rebound(t_pose, armsLowered(t_pose.skeleton, 40));
  Model model{figure.skeleton, dancerMaterials(), bipedParts(figure, 17000), {}};
  model.clips.push_back(makeClip("twirl", t_pose.skeleton, 0, 2.0, twirl));
  model.parts.push_back({"skirt", sheet([](double u, double v) { return skirtPoint(-u, v); },
                                        {.columns = 96, .rows = 20, .round = true, .material = kSkirt})});
  return model;
}

} // namespace skincells::examples
