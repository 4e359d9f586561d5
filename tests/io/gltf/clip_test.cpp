// Animation clips as poses, checked against values computed by hand.
#include <gtest/gtest.h>

#include "io/clip_poses.h"
#include "skincells/io/character_file.h"
#include "support/gltf_builder.h"

namespace skincells::test {
namespace {

constexpr float kHalf = 0.70710678f;

// Animates a property of joint 1 (at height 2) of a two-joint tube.
struct ClipDocument : TubeDocument {
  ClipDocument() : TubeDocument(2) {}
  template <class T>
  CharacterFile withClip(const std::string& path, const std::vector<float>& times, const std::vector<T>& values,
                         const std::string& interpolation, bool normalized = false) {
    const int input = data(times, "SCALAR"), output = data(values, path == "rotation" ? "VEC4" : "VEC3", normalized);
    json["animations"] = Json::array(
        {{{"name", "wave"},
          {"samplers", Json::array({{{"input", input}, {"output", output}, {"interpolation", interpolation}}})},
          {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 2}, {"path", path}}}}})}}});
    return read();
  }
};

// The image of a bind-space point under joint 1.
void expectMoved(const CharacterFile& file, double time, const Vec3d& from, const Vec3d& to) {
  const Pose pose = file.samplePose(0, time);
  ASSERT_EQ(pose.size(), 2U);
  const Vec3d moved = pose[1].apply(from);
  EXPECT_LE(length(moved - to), 1e-5) << "at " << time << ": " << moved.x << " " << moved.y << " " << moved.z;
  EXPECT_LE(length(pose[0].apply(from) - from), 1e-9); // the root rests
}

TEST(GltfClip, HoldsStepKeys) {
  const CharacterFile file =
      ClipDocument().withClip("translation", {0, 1, 2}, std::vector<float>{0, 2, 0, 0, 3, 0, 0, 5, 0}, "STEP");
  ASSERT_EQ(file.clips().size(), 1U);
  EXPECT_EQ(file.clips()[0].name, "wave");
  EXPECT_EQ(file.clips()[0].duration, 2);
  EXPECT_EQ(file.clips()[0].channel_count, 1);
  expectMoved(file, 0.99, {1, 2, 0}, {1, 2, 0});
  expectMoved(file, 1.0, {1, 2, 0}, {1, 3, 0});
  expectMoved(file, 1.99, {1, 2, 0}, {1, 3, 0});
  expectMoved(file, 2.0, {1, 2, 0}, {1, 5, 0});
}

TEST(GltfClip, BlendsLinearKeysAndClampsTime) {
  const CharacterFile file =
      ClipDocument().withClip("translation", {1, 3}, std::vector<float>{0, 2, 0, 4, 2, 0}, "LINEAR");
  expectMoved(file, 2, {0, 2, 0}, {2, 2, 0});
  expectMoved(file, 2.5, {0, 2, 0}, {3, 2, 0});
  expectMoved(file, -5, {0, 2, 0}, {0, 2, 0});
  expectMoved(file, 99, {0, 2, 0}, {4, 2, 0});
}

TEST(GltfClip, TurnsAlongTheShorterArc) {
  // 0 to 90 degrees about z, the second key as -q: the same rotation.
  const CharacterFile file =
      ClipDocument().withClip("rotation", {0, 1}, std::vector<float>{0, 0, 0, 1, 0, 0, -kHalf, -kHalf}, "LINEAR");
  expectMoved(file, 1, {1, 2, 0}, {0, 3, 0});
  expectMoved(file, 0.5, {1, 2, 0}, {kHalf, 2 + kHalf, 0});
  const double third = 30 * 3.14159265358979 / 180;
  expectMoved(file, 1.0 / 3, {1, 2, 0}, {std::cos(third), 2 + std::sin(third), 0}); // constant speed
}

// A character from a z-up tool: its armature is turned in the scene, and its clip turns joint 1 by 90 degrees.
TEST(GltfClip, PosesOfACharacterAreInBindSpace) {
  ClipDocument b;
  const int armature = b.node({{"name", "armature"}, {"rotation", {-kHalf, 0, 0, kHalf}}, {"scale", {2, 2, 2}}});
  b.adopt(armature, 1);
  const CharacterFile file = b.withClip("rotation", {0, 1}, std::vector<float>{0, 0, 0, 1, 0, 0, kHalf, kHalf}, "STEP");
  ASSERT_FALSE(file.character().clip_poses.empty());
  for (const std::vector<Pose>& poses : {file.character().clip_poses, {io::clipPoses(file, 10, 99).front().pose}})
    for (const Vec3d p : {Vec3d{0, 0, 0}, {1, 2, 3}})
      EXPECT_LE(length(poses.front()[0].apply(p) - p), 1e-5) << "the root does not turn";
  EXPECT_LE(length(file.character().clip_poses.back()[1].apply({1, 2, 0}) - Vec3d{0, 3, 0}), 1e-5);
  // In the scene it does.
  EXPECT_LE(length(file.samplePose(0, 0)[0].apply({0, 1, 0}) - Vec3d{0, 0, -1}), 1e-5);
}

// The root's node is scaled unlike its bind matrix; the joint below undoes that.
TEST(GltfClip, PosesKeepTheSizeOfTheCharacter) {
  ClipDocument b;
  const int armature = b.node({{"name", "armature"}, {"scale", {2, 2, 2}}});
  b.adopt(armature, 1);
  b.json["nodes"][1]["scale"] = {0.5, 0.5, 0.5};
  b.json["nodes"][2]["scale"] = {2, 2, 2};
  const CharacterFile file = b.withClip("rotation", {0, 1}, std::vector<float>{0, 0, 0, 1, 0, 0, kHalf, kHalf}, "STEP");
  ASSERT_FALSE(file.character().clip_poses.empty());
  EXPECT_NEAR(file.character().clip_poses.front()[1].determinant(), 1, 1e-5);
}

// An armature of scale 100, and most joints without weight, whose matrices are all the identity.
TEST(GltfClip, JointsThatShareAMatrixDoNotTellTheSize) {
  ClipDocument b;
  b.adopt(b.node({{"name", "armature"}, {"scale", {100, 100, 100}}}), 1);
  b.json["nodes"][2]["translation"] = {0, 0.02, 0};
  std::vector<int> joints{1, 2};
  for (double height : {0.01, 0.02, 0.03}) {
    joints.push_back(b.node({{"name", "control"}, {"translation", {0, height, 0}}}));
    b.adopt(1, joints.back());
  }
  Affine small;
  for (int k = 0; k < 3; ++k) small.m[k][k] = 0.01;
  Affine below = small;
  below.m[1][3] = -0.02;
  b.json["skins"][0]["joints"] = joints;
  b.json["skins"][0]["inverseBindMatrices"] = b.matrices({small, below, Affine{}, Affine{}, Affine{}});
  const CharacterFile file = b.withClip("rotation", {0, 1}, std::vector<float>{0, 0, 0, 1, 0, 0, kHalf, kHalf}, "STEP");
  EXPECT_NEAR(file.info().meters_per_unit, 1, 1e-5);
  EXPECT_LE(file.info().bind_rest_offset, 1e-3);
  ASSERT_FALSE(file.character().clip_poses.empty());
  EXPECT_NEAR(file.character().clip_poses.front()[1].determinant(), 1, 1e-5);
}

TEST(GltfClip, FollowsCubicSplines) {
  // From x = 0 to x = 1 in two seconds; out-tangent 1 per second, in-tangent 0.
  const std::vector<float> keys{0,        0, 0, /*value*/ 0, 2, 0, /*out*/ 1, 0, 0,
                                /*in*/ 0, 0, 0, /*value*/ 1, 2, 0, 0,         0, 0};
  const CharacterFile file = ClipDocument().withClip("translation", {0, 2}, keys, "CUBICSPLINE");
  // Hermite at s = 1/2: h10 = 1/8 times span 2 times tangent 1, h01 = 1/2.
  expectMoved(file, 1, {0, 2, 0}, {0.75, 2, 0});
  // s = 1/4: h10 = 9/64, h01 = 10/64.
  expectMoved(file, 0.5, {0, 2, 0}, {2 * 9.0 / 64 + 10.0 / 64, 2, 0});
  expectMoved(file, 2, {0, 2, 0}, {1, 2, 0});
}

TEST(GltfClip, NormalizesCubicRotations) {
  std::vector<float> keys(24, 0.0f);
  keys[7] = 1;                 // first value: no rotation
  keys[18] = keys[19] = kHalf; // second value: 90 degrees about z
  const CharacterFile file = ClipDocument().withClip("rotation", {0, 1}, keys, "CUBICSPLINE");
  expectMoved(file, 0.5, {1, 2, 0}, {kHalf, 2 + kHalf, 0});
}

TEST(GltfClip, ReadsNormalizedIntegers) {
  const CharacterFile shorts = ClipDocument().withClip(
      "rotation", {0, 1}, std::vector<std::int16_t>{0, 0, 0, 32767, 0, 0, 23170, 23170}, "LINEAR", true);
  expectMoved(shorts, 1, {1, 2, 0}, {0, 3, 0});
  const CharacterFile bytes =
      ClipDocument().withClip("rotation", {0, 1}, std::vector<std::int8_t>{0, 0, 0, 127, 0, 0, 127, 0}, "LINEAR", true);
  expectMoved(bytes, 1, {1, 2, 0}, {-1, 2, 0});
}

TEST(GltfClip, Scales) {
  const CharacterFile file = ClipDocument().withClip("scale", {0, 1}, std::vector<float>{1, 1, 1, 3, 1, 1}, "LINEAR");
  expectMoved(file, 0.5, {1, 2, 0}, {2, 2, 0});
}

TEST(GltfClip, DividesOutTheScaleOfTheWholeCharacter) {
  ClipDocument b;
  b.adopt(b.node({{"scale", {0.01, 0.01, 0.01}}}), 1);
  const CharacterFile file = b.withClip("translation", {0, 1}, std::vector<float>{0, 2, 0, 4, 2, 0}, "LINEAR");
  const Vec3d moved = file.samplePose(0, 1)[1].apply({0, 2, 0});
  EXPECT_LE(length(moved - Vec3d{4, 2, 0}), 1e-5);
}

TEST(GltfClip, LeavesOutBrokenChannels) {
  const std::vector<float> values{0, 2, 0, 4, 2, 0};
  const std::vector<std::vector<float>> bad_times{{1, 0}, {0, 1, 2}, {0, NAN}, {0, INFINITY}, {-1, 0}};
  for (std::size_t i = 0; i < bad_times.size(); ++i) {
    const CharacterFile file = ClipDocument().withClip("translation", bad_times[i], values, "LINEAR");
    ASSERT_EQ(file.clips().size(), 1U);
    EXPECT_TRUE(hasWarning(file, "clip.unreadable")) << i;
    EXPECT_EQ(file.clips()[0].channel_count, 0) << i;
    expectMoved(file, 1, {1, 2, 0}, {1, 2, 0});
  }
}

TEST(GltfClip, TheCharacterHoldsPosesSpreadOverItsClips) {
  const CharacterFile file =
      ClipDocument().withClip("translation", {0, 100}, std::vector<float>{0, 2, 0, 100, 2, 0}, "LINEAR");
  const std::vector<Pose>& poses = file.character().clip_poses;
  ASSERT_EQ(poses.size(), 128U);
  EXPECT_LE(length(poses.front()[1].apply({0, 2, 0}) - Vec3d{0, 2, 0}), 1e-4);
  for (std::size_t p = 1; p < poses.size(); ++p)
    EXPECT_NEAR(poses[p][1].apply({0, 2, 0}).x - poses[p - 1][1].apply({0, 2, 0}).x, 100.0 / 128, 0.05);
  // Without anything that moves there are none.
  ClipDocument still;
  still.json["animations"] = Json::array({Json::object()});
  EXPECT_TRUE(still.read().character().clip_poses.empty());
  EXPECT_TRUE(ClipDocument().read().character().clip_poses.empty());
}

TEST(GltfClip, NamesUnnamedClips) {
  ClipDocument b;
  b.json["animations"] = Json::array({Json::object(), {{"name", "second"}}});
  const CharacterFile file = b.read();
  ASSERT_EQ(file.clips().size(), 2U);
  EXPECT_EQ(file.clips()[0].name, "clip_0");
  EXPECT_EQ(file.clips()[0].duration, 0);
  EXPECT_EQ(file.samplePose(0, 0).size(), 2U);
}

} // namespace
} // namespace skincells::test
