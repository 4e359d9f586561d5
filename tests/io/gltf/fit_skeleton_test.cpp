// Meshes and skeletons in different units, up-axes and poses: aligned, or refused before a bind.
#include <cmath>

#include <gtest/gtest.h>

#include "io/placement.h"
#include "skincells/jobs/bind_job.h"
#include "support/files.h"
#include "support/gltf_builder.h"
#include "support/shapes.h"

namespace skincells::test {
namespace {

const double kHalf = std::sqrt(0.5);

ReadOptions aligned(const std::string& align) {
  ReadOptions options;
  options.align = align;
  return options;
}

ReadOptions posed(const std::string& bind_pose) {
  ReadOptions options;
  options.bind_pose = bind_pose;
  return options;
}

// A tube with a chain of six joints; `mesh` are members of its node.
BareTubeDocument tubeWith(const Json& mesh = Json::object()) {
  BareTubeDocument d(6);
  d.at("nodes", 0).update(mesh);
  return d;
}

void bendFirstJoint(GltfBuilder& d) {
  d.at("nodes", 1)["rotation"] = {0, 0, kHalf, kHalf}; // the chain lies along x
}

double topOf(const CharacterFile& file) {
  const Skeleton& s = file.character().skeleton;
  return s.bindPosition(s.jointCount() - 1).y;
}

std::string messageOf(const CharacterFile& file, const std::string& code) {
  for (const Warning& w : file.warnings())
    if (w.code == code) return w.message;
  return "";
}

TEST(FitSkeleton, LeavesAFittingSkeletonAlone) {
  const CharacterFile file = tubeWith().read();
  EXPECT_FALSE(hasWarning(file, "skeleton.aligned"));
  EXPECT_FALSE(hasWarning(file, "skeleton.bind_pose"));
  EXPECT_FALSE(hasWarning(file, "skeleton.misfit"));
}

TEST(FitSkeleton, AlignsAnotherUnit) {
  const double top = topOf(tubeWith().read());
  for (const double scale : {100.0, 0.01, 1000.0}) {
    const CharacterFile file = tubeWith({{"scale", {scale, scale, scale}}}).read();
    EXPECT_NE(messageOf(file, "skeleton.aligned").find("--align-rig " + options::printReal(scale)), std::string::npos)
        << scale;
    EXPECT_NEAR(topOf(file), scale * top, 1e-6 * scale);
  }
}

TEST(FitSkeleton, AlignsAnotherUpAxisAndUnit) {
  BareTubeDocument d = tubeWith();
  d.at("nodes", 1)
      .update({{"rotation", {-kHalf, 0, 0, kHalf}}, {"scale", {0.01, 0.01, 0.01}}}); // y of joints becomes -z
  const CharacterFile file = d.read();
  EXPECT_NE(messageOf(file, "skeleton.aligned").find("--align-rig 100,z-up"), std::string::npos);
  EXPECT_NEAR(topOf(file), topOf(tubeWith().read()), 1e-6);
}

// Once it is skinned, viewers ignore the place of a mesh in the scene: exporters leave anything there.
TEST(FitSkeleton, FitsTheMeshAsItIsStored) {
  for (const Json& place : {Json{{"scale", {0.01, 0.01, 0.01}}, {"translation", {0, 0, 3}}},
                            Json{{"rotation", {kHalf, 0, 0, kHalf}}, {"scale", {100, 100, 100}}}}) {
    BareTubeDocument d = tubeWith(place);
    const CharacterFile file = d.read();
    EXPECT_NE(messageOf(file, "skeleton.aligned").find("--align-rig stored"), std::string::npos);
    const Mesh& mesh = file.character().mesh;
    const Skeleton& s = file.character().skeleton;
    EXPECT_LT(io::PlacementMeter(mesh).measure(s).cover, 0.2);
    EXPECT_EQ(d.read(aligned("stored")).character().skeleton.bindPosition(3).z, s.bindPosition(3).z);
  }
}

TEST(FitSkeleton, AlignmentCanBeGivenOrTurnedOff) {
  BareTubeDocument far = tubeWith();
  far.at("nodes", 1)["translation"] = {50, 0, 0}; // no unit or axis helps
  EXPECT_TRUE(hasWarning(far.read(), "skeleton.misfit"));
  EXPECT_FALSE(hasWarning(far.read(aligned("none")), "skeleton.misfit"));
  EXPECT_TRUE(hasWarning(far.read(aligned("none")), "skeleton.away"));
  const BareTubeDocument d = tubeWith({{"scale", {7, 7, 7}}}); // no unit has this factor
  const CharacterFile given = d.read(aligned("7"));
  EXPECT_TRUE(hasWarning(given, "skeleton.aligned"));
  EXPECT_NEAR(topOf(given), 7 * topOf(tubeWith().read()), 1e-6);
  EXPECT_EQ(d.readError(aligned("sideways")).where, "--align-rig");
  EXPECT_EQ(TubeDocument().readError(aligned("100")).code, ErrorCode::InvalidOption); // has a skin
}

TEST(FitSkeleton, FindsTheBindPoseInAnUnusedSkin) {
  BareTubeDocument d = tubeWith();
  const Skeleton straight = d.read().character().skeleton;
  std::vector<int> joints;
  std::vector<Affine> inverse;
  for (int j = 0; j < straight.jointCount(); ++j) {
    joints.push_back(j + 1);
    inverse.push_back(straight.joints[static_cast<std::size_t>(j)].bind.inverse());
  }
  bendFirstJoint(d);
  EXPECT_TRUE(hasWarning(d.read(), "skeleton.misfit"));
  d.skin(joints, d.matrices(inverse));
  const CharacterFile file = d.read();
  EXPECT_NE(messageOf(file, "skeleton.bind_pose").find("--bind-pose 'skin'"), std::string::npos);
  for (int j = 0; j < straight.jointCount(); ++j)
    EXPECT_LT(length(file.character().skeleton.bindPosition(j) - straight.bindPosition(j)), 1e-5);
  EXPECT_FALSE(hasWarning(d.read(posed("rest")), "skeleton.bind_pose"));
}

TEST(FitSkeleton, FindsTheBindPoseInAClip) {
  BareTubeDocument d = tubeWith();
  const double top = topOf(d.read());
  bendFirstJoint(d);
  const int times = d.data(std::vector<float>{0, 1}, "SCALAR");
  const auto bent = static_cast<float>(kHalf);
  const int turns = d.data(std::vector<float>{0, 0, 0, 1, 0, 0, bent, bent}, "VEC4");
  d.add("animations", {{"name", "wave"},
                       {"samplers", {{{"input", times}, {"output", turns}}}},
                       {"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}}}}});
  const CharacterFile file = d.read();
  EXPECT_NE(messageOf(file, "skeleton.bind_pose").find("--bind-pose 'wave'"), std::string::npos);
  EXPECT_NEAR(topOf(file), top, 1e-5);
  EXPECT_EQ(d.readError(posed("jump")).where, "--bind-pose");
}

TEST(FitSkeleton, ABindThatCannotFitIsRefused) {
  const TemporaryFolder folder;
  BareTubeDocument d = tubeWith();
  bendFirstJoint(d);
  d.save(folder.path("posed.gltf"));
  BindJob job;
  job.input = folder.path("posed.gltf").string();
  job.output = folder.path("out.glb").string();
  const auto refused = run(job);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Mismatch);
  EXPECT_NE(refused.error().message.find("--align-rig none"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.path("out.glb")));
  job.read.align = "none";
  EXPECT_TRUE(run(job));
}

// The trunk fits, but the limb does not: a character in the middle of a motion.
TEST(FitSkeleton, LimbsInAnotherPoseAreRefused) {
  BareTubeDocument d(9);
  const double bend = 1.2;
  d.at("nodes", 4)["rotation"] = {0, 0, std::sin(bend / 2), std::cos(bend / 2)}; // the chain lies along x
  EXPECT_TRUE(hasWarning(d.read(), "skeleton.misfit"));
  d.at("nodes", 4).erase("rotation");
  d.at("nodes", 5)["rotation"] = {0, 0, std::sin(bend / 2), std::cos(bend / 2)};
  EXPECT_FALSE(hasWarning(d.read(), "skeleton.misfit"));
  EXPECT_TRUE(hasWarning(d.read(), "skeleton.doubtful"));
}

TEST(Placement, OfNothing) {
  EXPECT_EQ(io::PlacementMeter(Mesh{}).measureLimbs(chain(3, 1)).away, 0);
  const Mesh empty;
  EXPECT_EQ(io::PlacementMeter(empty).measure(chain(3, 1)).inside, 1);
  const Mesh tube4 = tube(4, 0.4, 9, 8);
  EXPECT_EQ(io::PlacementMeter(tube4).measure({}).cover, 0);
  EXPECT_EQ(io::PlacementMeter(tube4).measure(chain(4, 4)).inside, 1);
}

} // namespace
} // namespace skincells::test
