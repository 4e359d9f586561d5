// Finding the skeleton of files without a skin.
#include <gtest/gtest.h>

#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "support/files.h"
#include "support/gltf_builder.h"

namespace skincells::test {
namespace {

TEST(GltfSkeleton, IsFoundInTheNodeTree) {
  const BareTubeDocument b(4);
  const CharacterFile file = b.read();
  const Skeleton& s = file.character().skeleton;
  ASSERT_EQ(s.jointCount(), 4);
  EXPECT_EQ(s.joints[3].parent, 2);
  EXPECT_LE(length(s.bindPosition(3) - Vec3d{0, 3, 0}), 1e-12);
  EXPECT_EQ(file.info().skeleton_source, "node tree 'joint0'");
  EXPECT_TRUE(file.character().weights.empty());
}

TEST(GltfSkeleton, IsTheNamedSubtree) {
  BareTubeDocument b(4);
  ReadOptions options;
  options.skeleton = "joint1";
  const CharacterFile file = b.read(options);
  EXPECT_EQ(file.character().skeleton.jointCount(), 3);
  EXPECT_EQ(file.character().skeleton.joints[0].name, "joint1");

  options.skeleton = "nowhere";
  const Error error = b.readError(options);
  EXPECT_EQ(error.code, ErrorCode::NoSkeleton);
  EXPECT_NE(error.message.find("'nowhere'"), std::string::npos);

  b.at("nodes", 3)["name"] = "joint1";
  options.skeleton = "joint1";
  EXPECT_EQ(b.readError(options).code, ErrorCode::AmbiguousSkeleton);
}

TEST(GltfSkeleton, MustBeNamedWhenTwoTreesCouldBeIt) {
  BareTubeDocument b(2);
  const int other = b.node({{"name", "other"}});
  b.adopt(other, b.node({{"name", "other child"}}));
  const Error error = b.readError();
  EXPECT_EQ(error.code, ErrorCode::AmbiguousSkeleton);
  for (const char* word : {"'joint0'", "'other'", "--skeleton"})
    EXPECT_NE(error.message.find(word), std::string::npos) << error.message;
  ReadOptions options;
  options.skeleton = "other";
  EXPECT_EQ(b.read(options).character().skeleton.jointCount(), 2);
}

TEST(GltfSkeleton, IsTheMuchLargerTree) {
  BareTubeDocument b(5);
  b.node({{"name", "an empty"}});
  const CharacterFile file = b.read();
  EXPECT_EQ(file.character().skeleton.jointCount(), 5);
  EXPECT_TRUE(hasWarning(file, "skeleton.guessed"));
}

// A chain of ten joints with a sword on the last and a hat on the sixth, beside the body.
TEST(GltfSkeleton, IsWholeWhenPropsHangOnItsJoints) {
  BareTubeDocument b(10);
  const auto prop = [&](const char* name, int joint) {
    const int mesh = b.mesh({{"attributes", {{"POSITION", b.positions({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})}}}});
    b.adopt(joint, b.node({{"name", name}, {"mesh", mesh}}));
  };
  prop("sword", 10);
  prop("hat", 6);
  const CharacterFile file = b.read();
  EXPECT_EQ(file.info().skeleton_source, "node tree 'joint0'");
  EXPECT_EQ(file.character().skeleton.jointCount(), 10);
  EXPECT_EQ(file.info().unskinned_mesh_node_count, 2) << "props follow their joints already";
}

// Props that together have nearly as many vertices as the body in pieces, as in a kit of weapons.
TEST(GltfSkeleton, IsWholeWhenManyPropsHangOnIt) {
  GltfBuilder b;
  const auto piece = [&](int corners) {
    return b.mesh({{"attributes", {{"POSITION", b.positions(zigzag(corners))}}}, {"mode", 5}});
  };
  const int rig = b.node({{"name", "Rig"}});
  for (int k = 0; k < 4; ++k) b.adopt(rig, b.node({{"name", "piece"}, {"mesh", piece(30)}}));
  int parent = rig;
  for (int j = 0; j < 8; ++j) {
    const int joint = b.node({{"name", "joint" + std::to_string(j)}, {"translation", {1, 0, 0}}});
    b.adopt(parent, joint);
    b.adopt(joint, b.node({{"name", "pole" + std::to_string(j)}}));
    if (j % 2 == 1) b.adopt(joint, b.node({{"name", "prop"}, {"mesh", piece(25)}}));
    parent = joint;
  }
  const CharacterFile file = b.read();
  EXPECT_EQ(file.info().skeleton_source, "node tree 'joint0'");
  EXPECT_EQ(file.character().skeleton.jointCount(), 16);
  EXPECT_EQ(file.character().mesh.positions.size(), 120U) << "props follow their joints already";
}

TEST(GltfSkeleton, OffersTheParentOfTreesOfOneSize) {
  GltfBuilder b;
  const int rig = b.node({{"name", "Armature"}});
  const int mesh = b.mesh({{"attributes", {{"POSITION", b.positions(zigzag(6))}}}, {"mode", 5}});
  b.adopt(rig, b.node({{"name", "body"}, {"mesh", mesh}}));
  for (int j = 0; j < 5; ++j)
    b.adopt(rig, b.node({{"name", "finger" + std::to_string(j)}, {"translation", {j, 0, 0}}}));
  const Error error = b.readError();
  EXPECT_EQ(error.code, ErrorCode::AmbiguousSkeleton);
  EXPECT_NE(error.message.find("all of them with --skeleton 'Armature'"), std::string::npos) << error.message;
  ReadOptions options;
  options.skeleton = "Armature";
  EXPECT_EQ(b.read(options).character().skeleton.jointCount(), 6);
}

// The eyes are no prop: they are beside the skeleton, not below one of its joints.
TEST(GltfSkeleton, LeavesOutAGroupThatAlsoHoldsSmallMeshes) {
  BareTubeDocument b(6);
  const int group = b.node({{"name", "group"}});
  const int mesh = b.mesh({{"attributes", {{"POSITION", b.positions({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})}}}});
  b.adopt(group, b.node({{"name", "eyes"}, {"mesh", mesh}}));
  b.adopt(group, 1);
  const CharacterFile file = b.read();
  EXPECT_EQ(file.info().skeleton_source, "node tree 'joint0'");
  EXPECT_EQ(file.info().unskinned_mesh_node_count, 0);
}

TEST(GltfSkeleton, IsMissingWhenThereAreOnlyMeshes) {
  BareTubeDocument b(0);
  const Error error = b.readError();
  EXPECT_EQ(error.code, ErrorCode::NoSkeleton);
  EXPECT_NE(error.message.find("--rig"), std::string::npos);
  EXPECT_EQ(error.where, "test.glb");
}

TEST(GltfSkeleton, LeavesOutCamerasAndLights) {
  BareTubeDocument b(3);
  b.json["cameras"] = Json::array({{{"type", "perspective"}, {"perspective", {{"yfov", 1}, {"znear", 0.1}}}}});
  b.node({{"name", "camera"}, {"camera", 0}});
  const CharacterFile file = b.read();
  EXPECT_EQ(file.character().skeleton.jointCount(), 3);
  EXPECT_FALSE(hasWarning(file, "skeleton.guessed"));
}

TEST(GltfSkeleton, MayBeASkinThatNoMeshUsesYet) {
  BareTubeDocument b(3);
  b.node({{"name", "stray"}});
  b.skin({1, 2});
  EXPECT_EQ(b.read().character().skeleton.jointCount(), 2);
}

TEST(GltfSkeleton, SeesMeshesWhereTheSceneHasThem) {
  BareTubeDocument b(2);
  const double half = 0.70710678118654752;
  const int parent =
      b.node({{"name", "turned"}, {"scale", {2, 2, 2}}, {"rotation", {0, 0, half, half}}, {"translation", {1, 0, 0}}});
  b.adopt(parent, 0);
  const CharacterFile file = b.read();
  const Mesh& mesh = file.character().mesh;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3f p = b.parts.mesh.positions[v];
    EXPECT_LE(length(mesh.positions[v] - Vec3f{1 - 2 * p.y, 2 * p.x, 2 * p.z}), 1e-5f);
  }
}

TEST(GltfSkeleton, MeshesOnJointsStayThereUnlessTheyAreAll) {
  BareTubeDocument b(3);
  const int weapon =
      b.node({{"name", "weapon"}, {"mesh", b.mesh({{"attributes", {{"POSITION", b.positions(zigzag(3))}}}})}});
  b.adopt(3, weapon);
  ReadOptions options;
  options.skeleton = "joint0"; // because of the weapon, the tree contains a mesh
  const CharacterFile file = b.read(options);
  EXPECT_EQ(file.character().mesh.vertexCount(), b.parts.mesh.vertexCount());
  EXPECT_EQ(file.info().unskinned_mesh_node_count, 1);

  b.at("nodes", 0).erase("mesh");
  EXPECT_EQ(b.read(options).character().mesh.vertexCount(), 3U);
}

TEST(GltfSkeleton, RefusesOptionsThatContradictTheFile) {
  const TubeDocument b(2);
  ReadOptions named;
  named.skeleton = "joint0";
  EXPECT_EQ(b.readError(named).code, ErrorCode::InvalidOption);

  const TemporaryFolder folder;
  writeBytes(folder.path("rig.glb"), b.glb());
  ReadOptions rigged;
  rigged.rig = folder.path("rig.glb").string();
  EXPECT_EQ(b.readError(rigged).code, ErrorCode::InvalidOption);
}

TEST(GltfSkeleton, ComesFromAnotherFileWithASkin) {
  const TemporaryFolder folder;
  TubeDocument rig(8);
  rig.at("nodes", 6)["rotation"] = {0, 0, 0.70710678, 0.70710678}; // its rest pose is not its bind pose
  writeBytes(folder.path("rig.glb"), rig.glb());
  ReadOptions options;
  options.rig = folder.path("rig.glb").string();
  const CharacterFile file = BareTubeDocument(0).read(options);
  const Skeleton& s = file.character().skeleton;
  ASSERT_EQ(s.jointCount(), 8);
  for (int j = 0; j < 8; ++j) {
    EXPECT_EQ(s.joints[static_cast<std::size_t>(j)].parent, j - 1);
    EXPECT_LE(length(s.bindPosition(j) - Vec3d{0, 0.5 * j, 0}), 1e-6) << j;
  }
  EXPECT_EQ(file.info().skeleton_source, options.rig);
}

TEST(GltfSkeleton, ComesFromAnotherFileWithoutASkin) {
  const TemporaryFolder folder;
  const BareTubeDocument rig(3);
  rig.save(folder.path("rig.gltf"));
  ReadOptions options;
  options.rig = folder.path("rig.gltf").string();
  const CharacterFile file = BareTubeDocument(0).read(options);
  EXPECT_EQ(file.character().skeleton.jointCount(), 3);
  EXPECT_TRUE(bind(file.character()));

  options.skeleton = "joint2"; // names a node of the rig
  EXPECT_EQ(BareTubeDocument(0).read(options).character().skeleton.jointCount(), 1);

  options.rig = folder.path("nothing.glb").string();
  EXPECT_EQ(BareTubeDocument(0).readError(options).code, ErrorCode::FileNotFound);
}

} // namespace
} // namespace skincells::test
