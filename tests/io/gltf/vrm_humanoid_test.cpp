#include <gtest/gtest.h>

#include "support/gltf_builder.h"

namespace skincells::test {
namespace {

// Joint k of the tube is node k + 1.
TEST(VrmHumanoid, Version1MapsNamesToNodes) {
  TubeDocument d(3);
  d.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"] = {{"hips", {{"node", 1}}},
                                                                {"leftUpperArm", {{"node", 3}}}};
  const CharacterFile file = d.read();
  const auto& joints = file.character().skeleton.joints;
  EXPECT_EQ(joints[0].human_bone, "hips");
  EXPECT_EQ(joints[1].human_bone, "");
  EXPECT_EQ(joints[2].human_bone, "leftUpperArm");
}

TEST(VrmHumanoid, Version0HoldsAList) {
  TubeDocument d(3);
  d.json["extensions"]["VRM"]["humanoid"]["humanBones"] = {{{"bone", "hips"}, {"node", 1}, {"useDefaultValues", true}},
                                                           {{"bone", "spine"}, {"node", 2}}};
  const CharacterFile file = d.read();
  EXPECT_EQ(file.character().skeleton.joints[0].human_bone, "hips");
  EXPECT_EQ(file.character().skeleton.joints[1].human_bone, "spine");
}

TEST(VrmHumanoid, EntriesThatCannotBeUsedAreLeftOut) {
  for (const Json& entry : {Json{{"bone", "spine"}, {"node", 99}}, Json{{"bone", "spine"}, {"node", "two"}},
                            Json{{"bone", "spine"}}, Json{{"node", 2}}, Json(7)}) {
    TubeDocument d(3);
    d.json["extensions"]["VRM"]["humanoid"]["humanBones"] = {{{"bone", "hips"}, {"node", 1}}, entry};
    const CharacterFile file = d.read();
    EXPECT_TRUE(hasWarning(file, "vrm.human_bone")) << entry;
    EXPECT_EQ(file.character().skeleton.joints[0].human_bone, "hips");
    EXPECT_EQ(file.character().skeleton.joints[1].human_bone, "");
  }
}

TEST(VrmHumanoid, NodesThatAreNoJointsDoNotMatter) {
  TubeDocument d(3);
  d.json["extensions"]["VRM"]["humanoid"]["humanBones"] = {{{"bone", "jaw"}, {"node", 0}}};
  const CharacterFile file = d.read();
  EXPECT_FALSE(hasWarning(file, "vrm.human_bone"));
  for (const Joint& joint : file.character().skeleton.joints) EXPECT_EQ(joint.human_bone, "");
}

TEST(VrmHumanoid, AMapOfAnotherShapeIsNoMap) {
  for (const Json& map : {Json(3), Json("hips"), Json(nullptr)}) {
    TubeDocument d(3);
    d.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"] = map;
    d.json["extensions"]["VRM"]["humanoid"] = map;
    EXPECT_EQ(d.read().character().skeleton.joints[0].human_bone, "");
  }
}

} // namespace
} // namespace skincells::test
