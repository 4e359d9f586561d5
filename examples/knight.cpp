// The human figure in armor. Plates are separate rigid shells; the cape is an open sheet without bones.
#include <cmath>

#include "biped.h"
#include "characters.h"

namespace skincells::examples {
namespace {

enum { kSteel = cloth::kMaterialCount, kGold, kPlume, kCape };

constexpr double kThickness = 0.012; // thickness of plates, meters

std::vector<SceneMaterial> knightMaterials() {
  std::vector<SceneMaterial> m = bipedMaterials();
  m[cloth::kShirt] = material("gambeson", 92, 84, 78, 0.95f);
  m[cloth::kTrousers] = material("hose", 66, 62, 66, 0.95f);
  m[cloth::kShoes] = material("boots", 70, 52, 40, 0.8f);
  m[cloth::kSole] = material("sole", 44, 36, 30, 0.9f);
  m.push_back(material("steel", 168, 176, 188, 0.35f, 0.8f));
  m.push_back(material("gold", 206, 164, 76, 0.4f, 0.8f));
  m.push_back(material("plume", 196, 44, 48, 0.9f));
  m.push_back(material("cape", 156, 28, 40, 0.9f));
  m.back().double_sided = true;
  return m;
}

class Armorer {
public:
  Armorer(const Skeleton& t_pose, const Pose& pose, const Skeleton& bound)
      : t_pose_(&t_pose), pose_(&pose), bound_(&bound) {}

  std::vector<Part> run() {
    helmet();
    cuirass();
    pauldrons();
    vambraces();
    legs();
    return std::move(parts_);
  }

private:
  void finish(const std::string& name, const Field& field, int triangles) {
    parts_.push_back({name, polygonize(field.posed(*pose_), *bound_, {0.0045, triangles})});
  }

  // The plate for the left side, and its mirror image.
  void finishPair(const std::string& name, const Field& field, int triangles) {
    finish(name + ".L", field, triangles);
    Field right;
    for (Shape s : field.shapes()) {
      std::string joint = t_pose_->joints[static_cast<std::size_t>(s.joint)].name;
      joint.back() = 'R';
      s = s.mirrored();
      s.joint = t_pose_->find(joint);
      right.add(s);
    }
    finish(name + ".R", right, triangles);
  }

  Sculptor start(Field& field) const {
    Sculptor s(field, *t_pose_);
    s.paint(kSteel).blend(0.008);
    return s;
  }

  void helmet() {
    Field field;
    Sculptor s = start(field);
    const auto bucket = [](double r) {
      return roundCone({0, 1.53, 0.004}, {0, 1.70, -0.008}, r - 0.006, r).flattened(0.9, 1);
    };
    s.add("head", bucket(0.140));
    s.paint(kGold).blend(0.003);
    s.add("head", cappedCone({0, 1.522, 0.004}, {0, 1.552, 0.004}, 0.142, 0.142, 0.006).flattened(0.9, 1));
    s.add("head", box({0, 1.74, -0.01}, {0.013, 0.115, 0.15}, 0.01)); // comb
    s.blend(0.006);
    s.carve("head", bucket(0.140 - kThickness));
    s.carve("head", box({0, 1.66, 0.14}, {0.088, 0.0155, 0.08}, 0.008));
    s.carve("head", box({0, 1.58, 0.14}, {0.0125, 0.085, 0.08}, 0.008));
    s.carve("head", beyond({0, 1.528, 0}, {0, -1, 0}));
    finish("helmet", field, 2600);
    plume();
  }

  void plume() {
    Field field;
    Sculptor s = start(field);
    s.paint(kPlume).blend(0.04);
    s.add("head", roundCone({0, 1.87, 0.02}, {0, 1.885, -0.07}, 0.026, 0.036));
    s.add("head", roundCone({0, 1.885, -0.07}, {0, 1.82, -0.17}, 0.036, 0.034));
    s.add("head", roundCone({0, 1.82, -0.17}, {0, 1.68, -0.22}, 0.034, 0.012));
    finish("plume", field, 500);
  }

  void cuirass() {
    Field field;
    Sculptor s = start(field);
    s.blend(0.06);
    s.add("upper_chest", ellipsoid({0, 1.30, 0.004}, {0.196, 0.175, 0.158}));
    s.add("upper_chest", cappedCone({0, 1.04, 0.005}, {0, 1.2, 0.005}, 0.166, 0.176, 0.01).flattened(1, 0.86));
    s.blend(0.02);
    s.add("upper_chest", roundCone({0, 1.36, 0.135}, {0, 1.14, 0.128}, 0.03, 0.03)); // keel
    s.paint(kGold).blend(0.003);
    s.add("upper_chest", cappedCone({0, 1.052, 0.005}, {0, 1.082, 0.005}, 0.174, 0.175, 0.006).flattened(1, 0.87));
    s.blend(0.01);
    s.carve("upper_chest", ellipsoid({0, 1.30, 0.004}, {0.184, 0.163, 0.146}));
    s.carve("upper_chest", roundCone({0, 0.98, 0.005}, {0, 1.2, 0.005}, 0.151, 0.158).flattened(1, 0.86));
    s.addTwice("upper_chest", roundCone({0.165, 1.405, -0.02}, {0.4, 1.38, -0.02}, 0.085, 0.1), true);
    s.carve("upper_chest", ellipsoid({0, 1.50, -0.01}, {0.098, 0.085, 0.098}));
    s.carve("upper_chest", beyond({0, 1.058, 0}, {0, -1, 0}));
    finish("cuirass", field, 3000);
  }

  void pauldrons() {
    Field field;
    Sculptor s = start(field);
    const Vec3d c = s.at("upper_arm.L") + Vec3d{0.012, 0.01, 0};
    s.add("upper_arm.L", ellipsoid(c, {0.108, 0.092, 0.102}));
    s.blend(0.004);
    s.add("upper_arm.L", ellipsoid(c + Vec3d{0.055, -0.012, 0}, {0.092, 0.086, 0.092}));
    s.blend(0.006);
    s.carve("upper_arm.L", ellipsoid(c, {0.096, 0.08, 0.09}));
    s.carve("upper_arm.L", ellipsoid(c + Vec3d{0.055, -0.012, 0}, {0.081, 0.075, 0.081}));
    s.carve("upper_arm.L", beyond(c + Vec3d{0, -0.02, 0}, {-0.15, -1, 0}));
    s.carve("upper_arm.L", beyond(c + Vec3d{-0.058, 0, 0}, {-1, 0, 0}));
    s.carve("upper_arm.L", beyond(c + Vec3d{0.122, 0, 0}, {1, 0, 0}));
    finishPair("pauldron", field, 900);
  }

  void vambraces() {
    Field field;
    Sculptor s = start(field);
    const Vec3d elbow = s.at("forearm.L"), along = s.at("hand.L") - elbow;
    s.add("forearm.L", cappedCone(elbow + along * 0.2, elbow + along * 0.92, 0.06, 0.046, 0.006));
    s.paint(kGold).blend(0.003);
    s.add("forearm.L", cappedCone(elbow + along * 0.84, elbow + along * 0.94, 0.052, 0.051, 0.005));
    s.blend(0.005);
    s.carve("forearm.L", roundCone(elbow, elbow + along * 1.2, 0.051, 0.029));
    finishPair("vambrace", field, 700);
  }

  void legs() {
    Field greave;
    Sculptor s = start(greave);
    const Vec3d knee = s.at("shin.L"), ankle = s.at("foot.L"), along = ankle - knee;
    s.blend(0.02);
    s.add("shin.L", cappedCone(knee + along * 0.1, knee + along * 0.93, 0.082, 0.077, 0.006));
    s.add("shin.L", ellipsoid(knee + Vec3d{0, -0.005, 0.03}, {0.076, 0.082, 0.066}));
    s.paint(kGold).blend(0.003);
    s.add("shin.L", cappedCone(knee + along * 0.87, knee + along * 0.94, 0.083, 0.083, 0.005));
    s.blend(0.006);
    s.carve("shin.L", roundCone(knee - along * 0.3, knee + along * 1.2, 0.0725, 0.0685));
    s.carve("shin.L", ellipsoid(knee + Vec3d{0, -0.005, 0.03}, {0.068, 0.074, 0.056}));
    s.carve("shin.L", beyond(knee + Vec3d{0, 0, -0.035}, {0, 0.9, -1}));
    finishPair("greave", greave, 1100);

    Field sabaton;
    Sculptor f = start(sabaton);
    const double x = s.at("toe.L").x;
    f.blend(0.03);
    f.add("foot.L", roundCone({ankle.x, 0.10, 0.02}, {x, 0.058, 0.09}, 0.062, 0.058).flattened(1, 0.9));
    f.add("foot.L", ellipsoid({x + 0.003, 0.04, 0.125}, {0.065, 0.05, 0.075}));
    f.blend(0.006);
    f.carve("foot.L", beyond({0, 0.026, 0}, {0, -1, 0}));
    f.carve("foot.L", beyond({0, 0, 0.018}, {0, 0.2, -1}));
    finishPair("sabaton", sabaton, 500);
  }

  const Skeleton* t_pose_;
  const Pose* pose_;
  const Skeleton* bound_;
  std::vector<Part> parts_;
};

Vec3d capePoint(double u, double v) {
  const double a = 2 * u - 1, fold = std::cos(a * 5 * M_PI) * 0.028 * v + std::sin(a * 8 * M_PI) * 0.008 * v * v;
  const double width = 0.165 + 0.21 * std::sqrt(std::fmax(v, 0) + 0.02);
  const double back = 0.168 + 0.17 * v * v + 0.02 * v - 0.05 * a * a * (1 - 0.4 * v);
  return {a * width, 1.45 - 1.2 * v - 0.01 * a * a, -back + fold};
}

} // namespace

Model makeKnight() {
  const BipedStyle style{.breadth = 1.04, .strength = 1.04};
  const Biped t_pose = makeBiped(style, bipedSkeleton(style).build());
  const Pose pose = armsLowered(t_pose.skeleton, 48);
  const Biped figure = rebound(t_pose, pose);
  Model model{figure.skeleton, knightMaterials(), bipedParts(figure, 10500), {walkClip(t_pose.skeleton)}};
  for (Part& plate : Armorer(t_pose.skeleton, pose, figure.skeleton).run()) model.parts.push_back(std::move(plate));
  model.parts.push_back({"cape", sheet(capePoint, {.columns = 40, .rows = 32, .material = kCape})});
  return model;
}

} // namespace skincells::examples
