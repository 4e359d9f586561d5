// Garments over a body of two legs, built in code.
#include <algorithm>

#include <gtest/gtest.h>

#include "skincells/bind.h"
#include "skincells/skincells.h"
#include "skincells/threads.h"
#include "support/shapes.h"

namespace skincells {
namespace {

void move(Mesh& mesh, const Vec3d& by) {
  for (Vec3f& p : mesh.positions) p = toFloat(toDouble(p) + by);
}

// A pelvis and two legs down to the floor, each leg rigid.
struct Figure {
  Skeleton skeleton;
  Body body;

  Figure() {
    test::addJoint(skeleton, "hips", -1, {0, 1.0, 0});
    for (const double side : {1.0, -1.0}) {
      const std::string end = side > 0 ? ".L" : ".R";
      test::addJoint(skeleton, "thigh" + end, 0, {0.1 * side, 0.9, 0});
      test::addJoint(skeleton, "shin" + end, skeleton.jointCount() - 1, {0.1 * side, 0.5, 0});
    }
    Mesh pelvis = test::tube(0.3, 0.17, 7, 16), left = test::tube(0.9, 0.07, 25, 12), right = left;
    move(pelvis, {0, 0.85, 0});
    move(left, {0.1, 0, 0});
    move(right, {-0.1, 0, 0});
    body.mesh = test::joined(test::joined(pelvis, left), right);
    body.weights = SparseWeights(body.mesh.positions.size(), 1);
    for (std::size_t v = 0; v < body.mesh.positions.size(); ++v) {
      const Vec3f& p = body.mesh.positions[v];
      const bool leg = v >= pelvis.positions.size(), is_left = v < pelvis.positions.size() + left.positions.size();
      const int thigh = is_left ? 1 : 3;
      body.weights.joints[v] = static_cast<std::uint16_t>(!leg ? 0 : p.y > 0.5F ? thigh : thigh + 1);
      body.weights.weights[v] = 1;
    }
  }

  // An open skirt from the waist to the knees. A tube without its caps.
  Character skirt(double radius = 0.22, double flare = 0.05) const {
    Character c{"skirt", test::tube(0.6, radius, 15, 24), skeleton, {}};
    c.mesh.sections.clear();
    std::erase_if(c.mesh.triangles, [&](const Triangle& t) {
      return std::ranges::any_of(t, [&](std::uint32_t v) {
        return std::abs(c.mesh.positions[v].x) + std::abs(c.mesh.positions[v].z) < 1e-6F;
      });
    });
    for (Vec3f& p : c.mesh.positions) {
      const auto wider = static_cast<float>(1 + flare / radius * (0.6 - p.y) / 0.6);
      p = {p.x * wider, p.y + 0.5F, p.z * wider};
    }
    return c;
  }
  // The same with a ring of chains under the hips.
  Character skirtWithRing() const {
    Character c = skirt(0.22, 0.08);
    for (int i = 0; i < 6; ++i) {
      const double angle = i * M_PI / 3;
      int parent = 0;
      for (const double y : {0.98, 0.75}) {
        const double r = 0.22 + 0.08 * (1.1 - y) / 0.6;
        test::addJoint(c.skeleton, "ring" + std::to_string(i) + (y > 0.9 ? "a" : "b"), parent,
                       {r * std::sin(angle), y, r * std::cos(angle)});
        parent = c.skeleton.jointCount() - 1;
      }
    }
    return c;
  }
};

double weightOf(const SparseWeights& w, std::size_t v, int joint) {
  double sum = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(w.slots); ++k)
    if (w.jointRow(v)[k] == joint) sum += static_cast<double>(w.weightRow(v)[k]);
  return sum;
}

void expectValid(const SparseWeights& weights, std::size_t vertices) {
  ASSERT_EQ(weights.vertexCount(), vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    double sum = 0;
    for (float w : weights.weightRow(v)) {
      EXPECT_TRUE(std::isfinite(w) && w >= 0);
      sum += static_cast<double>(w);
    }
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

bool warns(const BindResult& result, const std::string& code) {
  return std::ranges::any_of(result.report.warnings, [&](const Warning& w) { return w.code == code; });
}

TEST(BindGarment, LegsShareASkirtWithoutBonesAndItsMiddleFollowsBoth) {
  const Figure figure;
  const Character skirt = figure.skirt();
  const auto bound = bindGarment(skirt, figure.body);
  ASSERT_TRUE(bound) << bound.error().text();
  expectValid(bound->weights, skirt.mesh.positions.size());
  int middles = 0;
  for (std::size_t v = 0; v < skirt.mesh.positions.size(); ++v) {
    const Vec3f& p = skirt.mesh.positions[v];
    const double left = weightOf(bound->weights, v, 1) + weightOf(bound->weights, v, 2),
                 right = weightOf(bound->weights, v, 3) + weightOf(bound->weights, v, 4);
    if (p.x > 0.15F && p.y < 0.7F) {
      EXPECT_GT(left, right);
    }
    if (std::abs(p.x) > 1e-3F || std::abs(p.z) < 0.1F || p.y > 0.7F) continue;
    ++middles;
    EXPECT_NEAR(left, right, 0.1) << p.y;
    EXPECT_GT(left, 0.1) << p.y;
  }
  EXPECT_GT(middles, 3);
}

TEST(BindGarment, OwnChainsCarryTheSkirtAndLegsDoNot) {
  const Figure figure;
  const Character skirt = figure.skirtWithRing();
  const auto bound = bindGarment(skirt, figure.body);
  ASSERT_TRUE(bound) << bound.error().text();
  expectValid(bound->weights, skirt.mesh.positions.size());
  for (std::size_t v = 0; v < skirt.mesh.positions.size(); ++v)
    for (int leg = 1; leg <= 4; ++leg) EXPECT_EQ(weightOf(bound->weights, v, leg), 0);
  for (int leg = 1; leg <= 4; ++leg) EXPECT_FALSE(bound->report.joints[static_cast<std::size_t>(leg)].deforms);
  EXPECT_EQ(bound->report.joints[6].rule, "garment-own");
  EXPECT_EQ(bound->report.motions[6].source, "garment");
  // Unless the user wants them to.
  const auto chosen = bindGarment(skirt, figure.body, {}, {.garment_joints = "hips,thigh*"});
  ASSERT_TRUE(chosen) << chosen.error().text();
  EXPECT_TRUE(chosen->report.joints[1].deforms);
  EXPECT_FALSE(chosen->report.joints[6].deforms);
}

// A joint at the ridge of a deep fold has cloth near on two sides, as a limb in a sleeve has. One chain of a pleated
// skirt was once left out, and swung freely.
TEST(BindGarment, AChainInAFoldOfTheClothIsTheGarmentsOwn) {
  const Figure figure;
  Character skirt = figure.skirtWithRing();
  skirt.mesh = figure.skirt(0.22, 0.08).mesh;
  const Mesh smooth = skirt.mesh;
  for (std::size_t v = 0; v < smooth.positions.size(); ++v) { // deep pleats, their ridges outside of the chains
    const Vec3f& p = smooth.positions[v];
    const double turn = std::atan2(static_cast<double>(p.x), static_cast<double>(p.z));
    const auto wider = static_cast<float>(1 + 0.25 * std::cos(12 * turn));
    skirt.mesh.positions[v] = {p.x * wider, p.y, p.z * wider};
  }
  const auto trial = GarmentTrial::make(skirt, figure.body, {}, {.poses = 1});
  ASSERT_TRUE(trial) << trial.error().text();
  EXPECT_EQ(trial->ownJoints().size(), 12U);
}

// The judge once swung chains as far as the joints of a body, and called a good skirt bad.
TEST(GarmentTrial, ChainsSwayLessThanInTheVerdictOnABody) {
  const Figure figure;
  const Character skirt = figure.skirtWithRing();
  const auto bound = bindGarment(skirt, figure.body);
  const auto trial = GarmentTrial::make(skirt, figure.body, {}, {.poses = 24, .seed = 0});
  ASSERT_TRUE(bound && trial);
  const Verdict alone = judgeSkin(skirt, bound->weights);
  const Verdict worn = judgeSkinIn(trial->poses(), "24 poses", skirt, bound->weights);
  EXPECT_EQ(worn.poses, "24 poses");
  ASSERT_EQ(worn.findings[0].threshold.name, "stretch_rms");
  EXPECT_LT(worn.findings[0].value, 0.8 * alone.findings[0].value);
  // Without own joints, the poses are those of the verdict.
  const auto plain = GarmentTrial::make(figure.skirt(), figure.body, {}, {.poses = 24, .seed = 0});
  ASSERT_TRUE(plain);
  const auto rows = bindGarment(figure.skirt(), figure.body)->weights;
  EXPECT_EQ(judgeSkinIn(plain->poses(), "", figure.skirt(), rows).findings[0].value,
            judgeSkin(figure.skirt(), rows).findings[0].value);
}

TEST(BindGarment, EntersTheBodyLessThanProximityAndStretchesLessThanTheClosestPoint) {
  const Figure figure;
  const Character skirt = figure.skirt();
  const auto bound = bindGarment(skirt, figure.body);
  const auto near = bind(skirt, {.method = BindMethod::Proximity, .joints = "all"});
  const Character source{"body", figure.body.mesh, figure.skeleton, figure.body.weights};
  const auto copied = transferSkin(source, skirt, {.via = TransferMethod::Closest});
  const auto trial = GarmentTrial::make(skirt, figure.body, {}, {.poses = 16});
  ASSERT_TRUE(bound && near && copied && trial);
  const GarmentQuality ours = trial->measure(bound->weights);
  EXPECT_LT(ours.penetration.vertex_percent, trial->measure(near->weights).penetration.vertex_percent);
  EXPECT_LT(ours.stretch_p99, trial->measure(copied->weights).stretch_p99);
  EXPECT_LT(ours.asymmetry, 0.1);
  // At rest, nothing penetrates, whatever the weights.
  EXPECT_EQ(measurePenetration(skirt.mesh, near->weights, trial->body().mesh, trial->body().weights, trial->under(),
                               {bindPose(skirt.skeleton)})
                .vertex_percent,
            0);
}

TEST(BindGarment, DoesNotDependOnThreads) {
  const Figure figure;
  const Character skirt = figure.skirtWithRing();
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return bindGarment(skirt, figure.body, {.quality = BindQuality::Draft})->weights.weights;
  };
  EXPECT_EQ(run(1), run(2));
}

// A sleeve over an arm, with rows in which the sleeve bends elsewhere than the arm.
TEST(BindGarment, RowsToStartFromChangeOnlyWhereTheyEnterTheBody) {
  const Character arm = test::tubeCharacter(3);
  const Body body{arm.mesh, bind(arm, {.method = BindMethod::Heat, .joints = "all"})->weights};
  Character sleeve = arm;
  const double wide = 1.15;
  for (Vec3f& p : sleeve.mesh.positions) p = {static_cast<float>(wide) * p.x, p.y, static_cast<float>(wide) * p.z};
  SparseWeights start = body.weights;
  for (std::size_t v = 0; v < start.vertexCount(); ++v) { // the upper joint alone moves the middle of the sleeve
    const double y = static_cast<double>(sleeve.mesh.positions[v].y), middle = sleeve.mesh.bounds().center().y;
    if (std::abs(y - middle) > 0.2 * sleeve.mesh.bounds().size().y) continue;
    std::ranges::fill(start.weightRow(v), 0.0F);
    start.jointRow(v)[0] = 0;
    start.weightRow(v)[0] = 1;
  }
  canonicalize(start, start.slots);
  const auto kept = bindGarment(sleeve, body, {.joints = "all"}, {}, {}, &start);
  ASSERT_TRUE(kept) << kept.error().text();
  EXPECT_FALSE(kept->field.has_value());
  expectValid(kept->weights, start.vertexCount());
  const auto trial = GarmentTrial::make(sleeve, body, {}, {.poses = 32, .seed = 3});
  ASSERT_TRUE(trial);
  const double before = trial->measure(start).penetration.vertex_percent;
  EXPECT_GT(before, 1);
  EXPECT_LT(trial->measure(kept->weights).penetration.vertex_percent, 0.8 * before);
  // Rows that never enter the body stay as they are.
  const auto same = bindGarment(sleeve, body, {.joints = "all"}, {}, {}, &body.weights);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->weights.joints, body.weights.joints);
  EXPECT_EQ(same->weights.weights, body.weights.weights);
  start = SparseWeights(1, 4);
  EXPECT_EQ(bindGarment(sleeve, body, {}, {}, {}, &start).error().code, ErrorCode::Mismatch);
}

// The spine in a shirt that replaces the chest moves nothing of the body, and lies nearer to the shirt than to it; it
// was once taken for a chain of the shirt.
TEST(GarmentTrial, AJointAboveJointsOfTheBodyIsNotTheGarmentsOwn) {
  const Character whole = test::tubeCharacter(4);
  const Box box = whole.mesh.bounds();
  Character shirt = whole;
  Body body{whole.mesh, SparseWeights(whole.mesh.positions.size(), 1)};
  for (std::size_t v = 0; v < body.mesh.positions.size(); ++v) { // joints 1 and 2 move nothing of it
    body.weights.joints[v] = static_cast<double>(body.mesh.positions[v].y) < box.center().y ? 0 : 3;
    body.weights.weights[v] = 1;
  }
  const auto inMiddle = [&](const Triangle& t) {
    const double y = static_cast<double>(whole.mesh.positions[t[0]].y) - box.center().y;
    return std::abs(y) < 0.2 * box.size().y;
  };
  std::erase_if(body.mesh.triangles, inMiddle);
  std::erase_if(shirt.mesh.triangles, [&](const Triangle& t) { return !inMiddle(t); });
  const auto trial = GarmentTrial::make(shirt, body, {}, {.poses = 1});
  ASSERT_TRUE(trial) << trial.error().text();
  EXPECT_TRUE(trial->ownJoints().empty());
}

TEST(BindGarment, ABodyThatFacesInwardIsTurned) {
  const Figure figure;
  const Character skirt = figure.skirt();
  Body inward = figure.body;
  for (Triangle& t : inward.mesh.triangles) std::swap(t[1], t[2]);
  const BindOptions draft{.quality = BindQuality::Draft};
  const auto a = bindGarment(skirt, figure.body, draft), b = bindGarment(skirt, inward, draft);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->weights.weights, b->weights.weights);
  EXPECT_TRUE(warns(*b, "garment.body_inside_out"));
  EXPECT_FALSE(warns(*a, "garment.body_inside_out"));
}

TEST(BindGarment, OddBodiesAndPlacesGiveWarningsAndValidWeights) {
  const Figure figure;
  const BindOptions draft{.quality = BindQuality::Draft};
  Body open = figure.body; // without every third triangle
  for (std::size_t t = open.mesh.triangles.size(); t-- > 0;)
    if (t % 3 == 0) open.mesh.triangles.erase(open.mesh.triangles.begin() + static_cast<std::ptrdiff_t>(t));
  const auto on_open = bindGarment(figure.skirt(), open, draft);
  ASSERT_TRUE(on_open) << on_open.error().text();
  EXPECT_TRUE(warns(*on_open, "garment.body_open"));
  expectValid(on_open->weights, figure.skirt().mesh.positions.size());

  const Character inside = figure.skirt(0.09, 0);
  const auto deep = bindGarment(inside, figure.body, draft);
  ASSERT_TRUE(deep) << deep.error().text();
  EXPECT_TRUE(warns(*deep, "garment.inside"));
  expectValid(deep->weights, inside.mesh.positions.size());

  Character far = figure.skirt();
  move(far.mesh, {50, 0, 0});
  const auto away = bindGarment(far, figure.body, draft);
  ASSERT_TRUE(away) << away.error().text();
  EXPECT_TRUE(warns(*away, "garment.far"));
  expectValid(away->weights, far.mesh.positions.size());

  Character tiny = figure.skirt(); // in another unit, on the floor between the feet
  for (Vec3f& p : tiny.mesh.positions) p = p * 0.01F;
  const auto unit = bindGarment(tiny, figure.body, draft);
  ASSERT_TRUE(unit) << unit.error().text();
  EXPECT_TRUE(warns(*unit, "garment.far"));
  EXPECT_FALSE(warns(*bindGarment(figure.skirt(), figure.body, draft), "garment.far"));
}

TEST(BindGarment, RefusesWhatCannotBeWorn) {
  const Figure figure;
  Body points = figure.body;
  points.mesh.triangles.clear();
  EXPECT_EQ(bindGarment(figure.skirt(), points).error().code, ErrorCode::NoMesh);
  EXPECT_EQ(bindGarment(figure.skirt(), {figure.body.mesh, {}}).error().code, ErrorCode::Mismatch);
  EXPECT_EQ(bindGarment(figure.skirt(), figure.body, {}, {.garment_joints = "nobody"}).error().where,
            "--garment-joints");
  EXPECT_EQ(bindGarment(figure.skirt(), figure.body, {}, {.margin = 99}).error().where, "--margin");
  EXPECT_EQ(bindGarment(figure.skirt(), figure.body, {.method = BindMethod::Heat}).error().where, "--method");
}

TEST(PlaceBody, MatchesJointsByNameInAnyUnitAndPutsMissingOnesOnTheirParents) {
  const Figure figure;
  Character body{"body", figure.body.mesh, figure.skeleton, figure.body.weights};
  Character skirt = figure.skirt(); // in centimeters, without shins
  for (Vec3f& p : skirt.mesh.positions) p = p * 100.0F;
  skirt.skeleton.joints.clear();
  test::addJoint(skirt.skeleton, "hips", -1, {0, 100, 0});
  test::addJoint(skirt.skeleton, "thigh.L", 0, {10, 90, 0});
  test::addJoint(skirt.skeleton, "thigh.R", 0, {-10, 90, 0});
  const auto placed = placeBody(body, skirt);
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_NEAR(placed->body.mesh.bounds().size().y, 100 * body.mesh.bounds().size().y, 0.1);
  ASSERT_EQ(placed->warnings.size(), 1U);
  EXPECT_EQ(placed->warnings[0].code, "garment.missing_joints");
  for (std::size_t v = 0; v < body.mesh.positions.size(); ++v)
    if (body.weights.joints[v] == 4) {
      EXPECT_EQ(weightOf(placed->body.weights, v, 2), 1);
    }
  Character other_pose = figure.skirt(); // legs apart
  for (const int shin : {2, 4}) {
    Affine& at = other_pose.skeleton.joints[static_cast<std::size_t>(shin)].bind;
    at = Affine::fromTranslation({shin == 2 ? 0.6 : -0.6, 0.4, 0}) * at;
  }
  const auto apart = placeBody(body, other_pose);
  ASSERT_FALSE(apart);
  EXPECT_EQ(apart.error().code, ErrorCode::Mismatch);
  EXPECT_NE(apart.error().text().find("shin"), std::string::npos) << apart.error().text();
  for (Joint& j : skirt.skeleton.joints) j.name = "x" + j.name;
  EXPECT_EQ(placeBody(body, skirt).error().code, ErrorCode::Mismatch);
  body.weights = {};
  EXPECT_EQ(placeBody(body, figure.skirt()).error().code, ErrorCode::Mismatch);
}

} // namespace
} // namespace skincells
