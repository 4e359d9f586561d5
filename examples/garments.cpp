// Garments for the human figure, each in a file of its own with the figure's skeleton, and the figure to wear them on.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "biped.h"
#include "characters.h"

namespace skincells::examples {
namespace {

constexpr BipedStyle kStyle{.breadth = 0.88, .strength = 0.86, .long_hair = true, .tights = true};
constexpr int kChains = 8, kLinks = 3;
constexpr double kWaist = 1.04; // heights in meters

Vec3d outward(double turn) {
  return {std::sin(2 * M_PI * turn), 0, std::cos(2 * M_PI * turn)};
}

// Measures the figure: the convex outline of its trunk and legs at any height.
class Tailor {
public:
  explicit Tailor(const Field& body) {
    for (int i = 0; i < kHeights; ++i) measure(body, heightOf(i), outlines_[static_cast<std::size_t>(i)]);
  }

  // Distance of the outline from the axis.
  double radius(double turn, double height) const {
    const double h = std::clamp((height - kLowest) / kStep, 0.0, double(kHeights - 1));
    const double a = (turn - std::floor(turn)) * kTurns;
    const auto i = std::min(static_cast<std::size_t>(h), std::size_t{kHeights - 2});
    const auto k = static_cast<std::size_t>(a) % kTurns;
    const double s = h - double(i), t = a - std::floor(a);
    const auto at = [&](std::size_t row, std::size_t column) { return outlines_[row][column % kTurns]; };
    return (1 - s) * ((1 - t) * at(i, k) + t * at(i, k + 1)) + s * ((1 - t) * at(i + 1, k) + t * at(i + 1, k + 1));
  }
  Vec3d point(double turn, double height, double clearance) const {
    return outward(turn) * (radius(turn, height) + clearance) + Vec3d{0, height, 0};
  }

private:
  static constexpr int kHeights = 64, kTurns = 64;
  static constexpr double kLowest = 0.05, kHighest = 1.34, kStep = (kHighest - kLowest) / (kHeights - 1);
  using Outline = std::array<double, kTurns>;

  static double heightOf(int i) { return kLowest + kStep * i; }
  static void measure(const Field& body, double height, Outline& out) {
    std::array<double, kTurns> reach{};
    for (std::size_t k = 0; k < kTurns; ++k) {
      const Vec3d d = outward(double(k) / kTurns);
      double r = 0.24;
      while (r > 0 && body.value(d * r + Vec3d{0, height, 0}) > 0) r -= 0.003;
      reach[k] = std::max(r, 0.0);
    }
    // From the support function of the hull to its distance in each direction.
    std::array<double, kTurns> support{};
    for (std::size_t a = 0; a < kTurns; ++a)
      for (std::size_t k = 0; k < kTurns; ++k)
        support[a] = std::max(support[a], reach[k] * dot(outward(double(k) / kTurns), outward(double(a) / kTurns)));
    for (std::size_t k = 0; k < kTurns; ++k) {
      out[k] = 1;
      for (std::size_t a = 0; a < kTurns; ++a) {
        const double cosine = dot(outward(double(k) / kTurns), outward(double(a) / kTurns));
        if (cosine > 0.05) out[k] = std::min(out[k], support[a] / cosine);
      }
    }
  }

  std::array<Outline, kHeights> outlines_{};
};

const Biped& figure() {
  static const Biped made = makeBiped(kStyle, bipedSkeleton(kStyle).build());
  return made;
}
const Tailor& tailor() {
  static const Tailor made(figure().body);
  return made;
}

// Cloth that never gets narrower below the hips.
Vec3d hanging(double turn, double height, double clearance) {
  constexpr double kHips = 0.90;
  double radius = tailor().radius(turn, height);
  if (height < kHips) radius = std::max(radius, tailor().radius(turn, kHips));
  return outward(turn) * (radius + clearance) + Vec3d{0, height, 0};
}

// A wide skirt; v goes from the waist to the hem.
struct Bell {
  double hem = 0.50, pleat_depth = 0.012;
  int pleats = 16;
  Vec3d smooth(double turn, double v) const {
    return hanging(turn, kWaist + (hem - kWaist) * v, 0.012 + 0.15 * v * (1.2 - 0.2 * v));
  }
  Vec3d point(double turn, double v) const {
    return smooth(turn, v) + outward(turn) * (pleat_depth * v * std::cos(2 * M_PI * pleats * turn));
  }
};

Skeleton skeletonWithRing() {
  SkeletonBuilder b = bipedSkeleton(kStyle);
  constexpr double kAlong[kLinks] = {0.08, 0.4, 0.72};
  const auto link = [](int c, int k) { return "skirt_" + std::to_string(c) + "_0" + std::to_string(k + 1); };
  for (int c = 0; c < kChains; ++c)
    for (int k = 0; k < kLinks; ++k)
      b.add(link(c, k), k == 0 ? "hips" : link(c, k - 1), Bell{}.smooth(double(c) / kChains, kAlong[k]));
  return b.build();
}

// A garment in the pose of the mannequin. Its skeleton is designed in T-pose.
Model garment(const Skeleton& t_pose, std::vector<Part> parts) {
  Model model{rebound(t_pose, armsLowered(t_pose, 40)), {}, std::move(parts), {}};
  model.materials = {material("cloth", 150, 58, 120, 0.8f), material("lining", 226, 200, 150, 0.8f),
                     material("button", 240, 230, 210, 0.3f)};
  model.materials[0].double_sided = model.materials[1].double_sided = true;
  return model;
}
Model garment(std::vector<Part> parts) {
  return garment(bipedSkeleton(kStyle).build(), std::move(parts));
}

LodSurfaces round(const SheetFunction& point, int columns, int rows) {
  return sheet([&](double u, double v) { return point(-u, v); }, {.columns = columns, .rows = rows, .round = true});
}

Model wideSkirt(const Bell& bell) {
  return garment(skeletonWithRing(), {{"skirt", round([&](double u, double v) { return bell.point(u, v); }, 96, 24)}});
}

// Buttons down the front, each a separate small shell on the cloth.
Part buttons(const Bell& bell, const Skeleton& skeleton) {
  Field field;
  Sculptor s(field, skeleton);
  s.paint(2);
  for (int i = 0; i < 5; ++i) {
    const Vec3d at = bell.point(0, 0.1 + 0.17 * i);
    s.add("hips", ellipsoid(at + Vec3d{0, 0, 0.008}, {0.012, 0.012, 0.006}));
  }
  return {"buttons", polygonize(field, skeleton, {0.002, 900})};
}

Part coatLayer(const std::string& name, double clearance, int material) {
  const SheetFunction point = [=](double u, double v) {
    const double height = 1.32 + (0.62 - 1.32) * v, flare = 0.10 * std::max(0.0, 0.95 - height) / 0.33;
    return hanging(0.04 + 0.92 * (1 - u), height, clearance + flare);
  };
  return {name, sheet(point, {.columns = 72, .rows = 32, .material = material})};
}

} // namespace

Model makeMannequin() {
  const Biped& t_pose = figure();
  const Biped made = rebound(t_pose, armsLowered(t_pose.skeleton, 40));
  return {made.skeleton, bipedMaterials(), bipedParts(made, 17000), {walkClip(t_pose.skeleton)}};
}

Model makePencilSkirt() {
  return garment({{"skirt", round(
                                [](double u, double v) {
                                  const double height = kWaist + (0.47 - kWaist) * v;
                                  return tailor().point(u, height, 0.014);
                                },
                                80, 28)}});
}

Model makeWideSkirt() {
  return wideSkirt({});
}
Model makeLongSkirt() {
  return wideSkirt({.hem = 0.38});
}
Model makePleatedSkirt() {
  return wideSkirt({.pleat_depth = 0.03, .pleats = 24});
}
Model makeButtonedSkirt() {
  Model model = wideSkirt({.pleat_depth = 0});
  model.parts.push_back(buttons({.pleat_depth = 0}, model.skeleton));
  return model;
}

Model makeDress() {
  return garment({{"dress", round(
                                [](double u, double v) {
                                  const double height = 1.30 + (0.06 - 1.30) * v, below = std::max(0.0, 0.9 - height);
                                  return hanging(u, height, 0.012 + 0.10 * below * (0.5 + below));
                                },
                                80, 56)}});
}

Model makeCape() {
  return garment(
      {{"cape", sheet(
                    [](double u, double v) {
                      const double a = 1 - 2 * u, fold = std::cos(a * 5 * M_PI) * 0.02 * v;
                      const double width = 0.14 + 0.17 * std::sqrt(std::fmax(v, 0) + 0.02);
                      return Vec3d{a * width, 1.40 - 1.15 * v, -(0.13 + 0.13 * v * v + 0.03 * v - 0.03 * a * a) + fold};
                    },
                    {.columns = 48, .rows = 36})}});
}

Model makeCoat() {
  return garment({coatLayer("lining", 0.012, 1), coatLayer("shell", 0.026, 0)});
}

} // namespace skincells::examples
