// The shapes of the human figure, from the feet up.
#include "biped.h"

namespace skincells::examples {
namespace {

using namespace cloth;

class BodySculptor {
public:
  BodySculptor(Biped& biped, const BipedStyle& style)
      : body_(biped.body, biped.skeleton), face_(biped.face, biped.skeleton), style_(style) {}

  void run() {
    trunk();
    head();
    arms();
    hands();
    legs();
    feet();
    face();
  }

private:
  double b(double x) const { return x * style_.breadth; }
  double s(double x) const { return x * style_.strength; }
  Vec3d at(const std::string& joint) const { return body_.at(joint); }

  void trunk() {
    body_.paint(kTrousers).blend(0.06);
    body_.add("hips", ellipsoid({0, 0.955, 0}, {b(0.15), 0.105, 0.108}));
    body_.addTwice("hips", ellipsoid({b(0.068), 0.915, -0.045}, {b(0.08), 0.085, 0.078}));
    body_.paint(kShirt).blend(0.07);
    body_.add("spine", ellipsoid({0, 1.09, 0.004}, {b(0.13), 0.11, 0.098}));
    body_.add("chest", ellipsoid({0, 1.205, 0}, {b(0.142), 0.11, 0.11}));
    body_.add("upper_chest", ellipsoid({0, 1.325, -0.012}, {b(0.165), 0.115, 0.112}));
    body_.addTwice("upper_chest", ellipsoid({b(0.068), 1.32, 0.046}, {b(0.08), 0.064, 0.046}));
    body_.blend(0.05);
    body_.addPair("shoulder", roundCone({b(0.03), 1.435, -0.03}, {b(0.13), 1.418, -0.025}, 0.056, 0.056));
    body_.paint(kBelt).blend(0.006);
    body_.add("hips", cappedCone({0, 1.008, 0.002}, {0, 1.044, 0.002}, b(0.146), b(0.144), 0.006).flattened(1, 0.79));
  }

  void head() {
    body_.paint(kShirt).blend(0.02);
    body_.add("neck",
              cappedCone({0, 1.42, -0.026}, {0, 1.466, -0.018}, s(0.08), s(0.067), 0.008).turned({1, 0, 0}, 14));
    body_.paint(kSkin).blend(0.008);
    body_.add("neck", roundCone({0, 1.44, -0.022}, {0, 1.57, -0.004}, s(0.052), s(0.05)));
    body_.blend(0.035);
    body_.add("head", ellipsoid({0, 1.685, -0.006}, {0.092, 0.105, 0.106}));
    body_.add("head", ellipsoid({0, 1.625, 0.03}, {0.074, 0.085, 0.074}));
    body_.blend(0.03);
    body_.add("jaw", ellipsoid({0, 1.577, 0.056}, {0.040, 0.032, 0.038}));
    body_.blend(0.014);
    body_.addTwice("head", ellipsoid({0.037, 1.658, 0.100}, {0.023, 0.017, 0.02}), true); // eye sockets
    body_.add("head", roundCone({0, 1.664, 0.098}, {0, 1.628, 0.113}, 0.010, 0.0165));    // nose
    body_.blend(0.01);
    body_.addTwice("head", ellipsoid({0.094, 1.645, -0.004}, {0.013, 0.034, 0.022}).turned({0, 1, 0}, 20)); // ears
    hair();
  }

  void hair() {
    body_.paint(kHair).blend(0.016);
    body_.add("head", ellipsoid({0, 1.705, -0.026}, {0.104, 0.102, 0.106}));
    body_.blend(0.045);
    body_.addTwice("head", ellipsoid({0.045, 1.752, 0.044}, {0.05, 0.032, 0.05}).turned({0, 0, 1}, -28));
    body_.blend(0.016);
    body_.add("head", ellipsoid({0, 1.63, -0.072}, {0.074, 0.07, 0.048}));
    if (!style_.long_hair) return;
    body_.add("head", ellipsoid({0, 1.80, -0.085}, {0.056, 0.052, 0.054}));
    body_.addTwice("head", ellipsoid({0.088, 1.67, 0.016}, {0.02, 0.05, 0.026}));
  }

  void arms() {
    const Vec3d shoulder = at("upper_arm.L"), elbow = at("forearm.L"), wrist = at("hand.L");
    const Vec3d along = elbow - shoulder;
    body_.paint(style_.tights ? kSkin : kShirt).blend(0.05);
    body_.addPair("upper_arm", roundCone(shoulder, shoulder + along * 0.4, s(0.06), s(0.05)));
    if (!style_.tights)
      body_.addPair("upper_arm", cappedCone(shoulder + along * 0.05, shoulder + along * 0.6, s(0.058), s(0.061), 0.01));
    body_.paint(kSkin).blend(0.008);
    body_.addPair("upper_arm", roundCone(shoulder + along * 0.35, elbow, s(0.049), s(0.041)));
    body_.blend(0.03);
    body_.addPair("forearm", roundCone(elbow, wrist, s(0.041), s(0.028)));
    body_.addPair("forearm",
                  roundCone(elbow + Vec3d{0.035, 0, 0.004}, elbow + Vec3d{0.11, 0, 0.002}, s(0.043), s(0.036)));
  }

  void hands() {
    const Vec3d wrist = at("hand.L");
    body_.paint(kSkin).blend(0.02);
    body_.addPair("hand", roundCone(wrist, wrist + Vec3d{0.05, 0, 0}, s(0.027), 0.03).flattened(0.82, 1.05));
    body_.addPair("hand", box(wrist + Vec3d{0.064, 0, 0.001}, {0.042, 0.0165, 0.046}, 0.0165));
    body_.addPair("hand", ellipsoid(wrist + Vec3d{0.036, -0.007, 0.026}, {0.034, 0.017, 0.024}));
    body_.blend(0.007);
    for (const std::string finger : {"thumb", "index", "middle", "ring", "pinky"}) {
      const double thick = finger == "thumb" ? 0.0132 : finger == "pinky" ? 0.0098 : 0.0113;
      const Vec3d p1 = at(finger + "_01.L"), p2 = at(finger + "_02.L"), p3 = at(finger + "_03.L");
      const Vec3d tip = p3 + (p3 - p2) * 0.62;
      body_.addPair(finger + "_01", roundCone(p1 - (p2 - p1) * 0.4, p2, thick * 1.04, thick * 0.97));
      body_.addPair(finger + "_02", roundCone(p2, p3, thick * 0.97, thick * 0.93));
      body_.addPair(finger + "_03", roundCone(p3, tip, thick * 0.93, thick * 0.82));
    }
  }

  void legs() {
    const Vec3d hip = at("thigh.L"), knee = at("shin.L"), ankle = at("foot.L");
    const Vec3d hem = ankle + Vec3d{0, 0.022, 0.008};
    body_.paint(kTrousers).blend(0.035);
    body_.addPair("thigh", roundCone(hip + Vec3d{0, -0.01, 0}, knee, s(0.088), s(0.057)));
    if (style_.tights)
      body_.addPair("shin", roundCone(knee, ankle, s(0.056), s(0.038)));
    else
      body_.addPair("shin", cappedCone(hem, knee + Vec3d{0, 0.04, 0}, s(0.065), s(0.06), 0.012));
    body_.addPair("shin", ellipsoid({knee.x, 0.37, -0.016}, {s(0.057), 0.12, s(0.06)}));
  }

  void feet() {
    const Vec3d ankle = at("foot.L"), ball = at("toe.L");
    const double x0 = ankle.x, x1 = ball.x;
    body_.paint(kShoes).blend(0.008);
    body_.addPair("foot", roundCone({x0, 0.14, -0.016}, {x0, 0.065, -0.02}, 0.042, 0.047));
    body_.blend(0.03);
    body_.addPair("foot", ellipsoid({x0, 0.048, -0.04}, {0.044, 0.048, 0.052}));
    body_.addPair("foot", roundCone({x0, 0.072, 0.0}, {x1, 0.045, 0.085}, 0.048, 0.04).flattened(1, 0.95));
    body_.addPair("toe", ellipsoid({x1 + 0.003, 0.042, 0.112}, {0.051, 0.036, 0.062}));
    if (!style_.tights) soles(x0, x1);
    body_.blend(0.006);
    body_.addTwice("hips", beyond({0.1, 0, 0}, {0, -1, 0}), true); // flat on the ground
  }

  void soles(double x0, double x1) {
    body_.paint(kSole).blend(0.003);
    const Shape heel = cappedCone({x0, -0.01, -0.036}, {x0, 0.024, -0.036}, 0.054, 0.052, 0.006);
    const Shape ball = cappedCone({x1 + 0.002, -0.01, 0.10}, {x1 + 0.002, 0.024, 0.10}, 0.06, 0.058, 0.006);
    const Vec3d bridge{(x0 + x1) / 2, 0.007, 0.03};
    body_.addPair("foot", heel.flattened(0.95, 1.15));
    body_.addPair("foot", box(bridge, {0.046, 0.017, 0.07}, 0.006).turned({0, 1, 0}, 4));
    body_.addPair("toe", ball.flattened(0.98, 1.28));
  }

  void face() {
    const Vec3d eye = at("eye.L");
    face_.paint(kEye).blend(0);
    face_.addPair("eye", ellipsoid(eye + Vec3d{0, 0, 0.006}, {0.0235, 0.0215, 0.0215}));
    face_.paint(kIris);
    face_.addPair("eye", ellipsoid(eye + Vec3d{-0.001, 0, 0.0195}, {0.0125, 0.0132, 0.0105}));
    face_.paint(kHair);
    face_.addTwice("head", roundCone({0.02, 1.6955, 0.099}, {0.058, 1.695, 0.08}, 0.0058, 0.0042));
    face_.paint(kLips).blend(0.004);
    face_.add("jaw", roundCone({-0.019, 1.593, 0.0955}, {0, 1.5905, 0.1035}, 0.005, 0.0066));
    face_.add("jaw", roundCone({0, 1.5905, 0.1035}, {0.019, 1.593, 0.0955}, 0.0066, 0.005));
  }

  Sculptor body_, face_;
  BipedStyle style_;
};

} // namespace

Biped makeBiped(const BipedStyle& style, const Skeleton& skeleton) {
  Biped biped;
  biped.skeleton = skeleton;
  BodySculptor(biped, style).run();
  return biped;
}

} // namespace skincells::examples
