#include <gtest/gtest.h>

#include "rig/motion/human_ranges.h"
#include "rig/names/human_bones.h"
#include "support/shapes.h"

namespace skincells::rig {
namespace {

struct Named {
  const char* name;
  const char* part; // HumanBone::text()
};

class HumanNames : public testing::TestWithParam<Named> {};

TEST_P(HumanNames, GiveThePart) {
  EXPECT_EQ(humanBoneByName(splitJointName(GetParam().name)).text(), GetParam().part) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Mixamo, HumanNames,
    testing::Values(Named{"mixamorig:Hips", "hips"}, Named{"mixamorig:Spine2", "spine"},
                    Named{"mixamorig:Neck", "neck"}, Named{"mixamorig:Head", "head"},
                    Named{"mixamorig:HeadTop_End", ""}, Named{"mixamorig:LeftShoulder", "left shoulder"},
                    Named{"mixamorig:LeftArm", "left upper arm"}, Named{"mixamorig:RightForeArm", "right lower arm"},
                    Named{"mixamorig:RightHand", "right hand"}, Named{"mixamorig:LeftHandThumb1", "left thumb 1"},
                    Named{"mixamorig:LeftHandIndex3", "left index finger 3"},
                    Named{"mixamorig:RightHandPinky2", "right little finger 2"}, Named{"mixamorig:LeftHandIndex4", ""},
                    Named{"mixamorigLeftUpLeg", "left upper leg"}, Named{"mixamorig1:LeftLeg", "left lower leg"},
                    Named{"mixamorig:LeftFoot", "left foot"}, Named{"mixamorig:LeftToeBase", "left toe"},
                    Named{"mixamorig:LeftToe_End", ""}));
INSTANTIATE_TEST_SUITE_P(
    Rigify, HumanNames,
    testing::Values(Named{"DEF-spine.003", "spine"}, Named{"ORG-upper_arm.R", "right upper arm"},
                    Named{"DEF-forearm.L", "left lower arm"}, Named{"DEF-thigh.L", "left upper leg"},
                    Named{"DEF-shin.R", "right lower leg"}, Named{"DEF-f_index.01.L", "left index finger 1"},
                    Named{"DEF-f_middle.03.R", "right middle finger 3"}, Named{"DEF-thumb.02.L", "left thumb 2"},
                    Named{"DEF-palm.01.L", "left palm"}, Named{"DEF-toe.R", "right toe"}, Named{"DEF-jaw", "jaw"},
                    Named{"MCH-upper_arm_ik.L", ""}, Named{"upper_arm_fk.L", ""}, Named{"DEF-breast.L", ""}));
INSTANTIATE_TEST_SUITE_P(Unreal, HumanNames,
                         testing::Values(Named{"pelvis", "hips"}, Named{"spine_01", "spine"},
                                         Named{"clavicle_l", "left shoulder"}, Named{"upperarm_l", "left upper arm"},
                                         Named{"lowerarm_r", "right lower arm"}, Named{"hand_r", "right hand"},
                                         Named{"thumb_01_l", "left thumb 1"}, Named{"ring_02_r", "right ring finger 2"},
                                         Named{"index_metacarpal_l", "left palm"}, Named{"thigh_r", "right upper leg"},
                                         Named{"calf_l", "left lower leg"}, Named{"ball_l", "left toe"},
                                         Named{"upperarm_twist_01_l", ""}, Named{"calf_twist_01_r", ""},
                                         Named{"ik_hand_l", ""}, Named{"ik_foot_root", ""}, Named{"root", ""}));
INSTANTIATE_TEST_SUITE_P(
    Biped, HumanNames,
    testing::Values(Named{"Bip01", ""}, Named{"Bip01 Pelvis", "hips"}, Named{"Bip001 Spine1", "spine"},
                    Named{"Bip01 L Clavicle", "left shoulder"}, Named{"Bip01 L UpperArm", "left upper arm"},
                    Named{"Bip01 R Forearm", "right lower arm"}, Named{"Bip01 R Thigh", "right upper leg"},
                    Named{"Bip01 L Calf", "left lower leg"}, Named{"Bip01 L Toe0", "left toe"},
                    Named{"Bip01 L Finger0", "left thumb 1"}, Named{"Bip01 L Finger02", "left thumb 3"},
                    Named{"Bip01 R Finger1", "right index finger 1"},
                    Named{"Bip01 R Finger41", "right little finger 2"}, Named{"Bip01 L Finger0Nub", ""},
                    Named{"Bip01 HeadNub", ""}, Named{"Bip01 L ForeTwist", ""}, Named{"Bip01 Footsteps", ""},
                    Named{"ValveBiped.Bip01_L_UpperArm", "left upper arm"}));
INSTANTIATE_TEST_SUITE_P(VrmAndByHand, HumanNames,
                         testing::Values(Named{"leftUpperArm", "left upper arm"}, Named{"upperChest", "chest"},
                                         Named{"leftEye", "left eye"}, Named{"rightToes", "right toe"},
                                         Named{"leftThumbMetacarpal", "left thumb 1"},
                                         Named{"leftLittleIntermediate", "left little finger 2"},
                                         Named{"rightRingDistal", "right ring finger 3"}, Named{"J_Bip_C_Hips", "hips"},
                                         Named{"J_Sec_Hair1_01", ""}, Named{"shoulder.L", "left shoulder"},
                                         Named{"LeftUpperArm", "left upper arm"}, Named{"elbow_R", "right lower arm"},
                                         Named{"Knee.L", "left lower leg"}, Named{"leg1.001.R", ""}, Named{"Tail1", ""},
                                         Named{"", ""}, Named{"Weapon", ""}, Named{"arm", ""}));

// A body with its arms along x, facing +z; elbows and knees are slightly bent.
class Builder {
public:
  int add(const std::string& name, int parent, const Vec3d& at) {
    test::addJoint(skeleton, name, parent, at);
    return skeleton.jointCount() - 1;
  }
  // names: "%" is replaced by the side.
  void limb(const std::vector<std::string>& names, int parent, const std::vector<Vec3d>& places, const char* left,
            const char* right) {
    for (int side : {1, -1}) {
      int at = parent;
      for (std::size_t i = 0; i < names.size(); ++i) {
        std::string name = names[i];
        name.replace(name.find('%'), 1, side > 0 ? left : right);
        at = add(name, at, {side * places[i].x, places[i].y, places[i].z});
      }
    }
  }
  Skeleton skeleton;
};

const std::vector<Vec3d> kArm{{0.2, 1.5, 0}, {0.5, 1.5, -0.03}, {0.8, 1.5, 0}};
const std::vector<Vec3d> kLeg{{0.1, 1, 0}, {0.1, 0.5, 0.05}, {0.1, 0.1, 0}};

Skeleton human(const std::vector<std::string>& arm, const std::vector<std::string>& leg, const char* left,
               const char* right) {
  Builder b;
  const int hips = b.add("Hips", -1, {0, 1, 0}), chest = b.add("Chest", hips, {0, 1.4, 0});
  b.add("Head", chest, {0, 1.7, 0});
  b.limb(arm, chest, kArm, left, right);
  b.limb(leg, hips, kLeg, left, right);
  return b.skeleton;
}

std::string partOf(const Skeleton& s, const std::vector<HumanBone>& bones, const char* name) {
  const int j = s.find(name);
  return j < 0 ? "no such joint" : bones[static_cast<std::size_t>(j)].text();
}

TEST(HumanBones, NeighborsResolveAmbiguousNames) {
  const Skeleton shoulders = human({"%Shoulder", "%Elbow", "%Wrist"}, {"%Hip", "%Knee", "%Ankle"}, "Left", "Right");
  auto bones = humanBones(shoulders);
  EXPECT_EQ(partOf(shoulders, bones, "LeftShoulder"), "left upper arm");
  EXPECT_EQ(partOf(shoulders, bones, "RightHip"), "right upper leg");
  EXPECT_EQ(partOf(shoulders, bones, "Hips"), "hips");
  const Skeleton legs = human({"%UpperArm", "%Arm", "%Hand"}, {"%Leg", "%Shin", "%Foot"}, "Left", "Right");
  bones = humanBones(legs);
  EXPECT_EQ(partOf(legs, bones, "LeftArm"), "left lower arm");
  EXPECT_EQ(partOf(legs, bones, "LeftLeg"), "left upper leg");
  EXPECT_EQ(partOf(legs, bones, "LeftShin"), "left lower leg");
}

TEST(HumanBones, SecondSegmentsOfALimbAreNoParts) {
  Builder b;
  const int hips = b.add("DEF-spine", -1, {0, 1, 0}), chest = b.add("DEF-spine.003", hips, {0, 1.4, 0});
  const int neck = b.add("DEF-spine.004", chest, {0, 1.6, 0});
  b.add("DEF-spine.006", neck, {0, 1.7, 0});
  b.limb({"DEF-upper_arm.%", "DEF-upper_arm.%.001", "DEF-forearm.%", "DEF-hand.%"}, chest,
         {{0.2, 1.5, 0}, {0.35, 1.5, 0}, {0.5, 1.5, 0}, {0.8, 1.5, 0}}, "L", "R");
  b.limb({"DEF-thigh.%", "DEF-shin.%", "DEF-foot.%"}, hips, kLeg, "L", "R");
  const auto bones = humanBones(b.skeleton);
  EXPECT_EQ(partOf(b.skeleton, bones, "DEF-upper_arm.L"), "left upper arm");
  EXPECT_EQ(partOf(b.skeleton, bones, "DEF-upper_arm.L.001"), "");
  EXPECT_EQ(partOf(b.skeleton, bones, "DEF-forearm.L"), "left lower arm");
  // All joints of the trunk are called spine.
  EXPECT_EQ(partOf(b.skeleton, bones, "DEF-spine"), "hips");
  EXPECT_EQ(partOf(b.skeleton, bones, "DEF-spine.003"), "spine");
  EXPECT_EQ(partOf(b.skeleton, bones, "DEF-spine.004"), "neck");
  EXPECT_EQ(partOf(b.skeleton, bones, "DEF-spine.006"), "head");
}

TEST(HumanBones, AnIncompleteBodyHasNoParts) {
  Builder b;
  const int hips = b.add("Hips", -1, {0, 1, 0}), head = b.add("Head", hips, {0, 1.7, 0});
  b.limb({"%UpperArm", "%LowerArm", "%Hand"}, head, kArm, "Left", "Right");
  for (const HumanBone& bone : humanBones(b.skeleton)) EXPECT_EQ(bone.part, HumanPart::None);
  EXPECT_TRUE(humanBones({}).empty());
}

TEST(HumanBones, AVrmMapTakesPrecedenceOverNames) {
  Skeleton s = human({"%UpperArm", "%LowerArm", "%Hand"}, {"%UpperLeg", "%LowerLeg", "%Foot"}, "Left", "Right");
  for (Joint& joint : s.joints) {
    joint.human_bone = joint.name;
    joint.human_bone[0] = static_cast<char>(joint.human_bone[0] - 'A' + 'a');
    joint.name = "node";
  }
  s.joints[1].name = "LeftFoot"; // contradicts the map
  const auto bones = humanBones(s);
  EXPECT_EQ(bones[1].text(), "chest");
  EXPECT_EQ(bones[3].text(), "left upper arm");
}

TEST(HumanBones, AnIncompleteMapFallsBackToNames) {
  Skeleton s = human({"%UpperArm", "%LowerArm", "%Hand"}, {"%UpperLeg", "%LowerLeg", "%Foot"}, "Left", "Right");
  s.joints[0].human_bone = "hips";
  EXPECT_EQ(partOf(s, humanBones(s), "LeftUpperArm"), "left upper arm");
}

JointRange rangeOf(const Skeleton& s, const char* name) {
  return humanRanges(s, humanBones(s))[static_cast<std::size_t>(s.find(name))];
}

TEST(HumanRanges, ElbowsAndKneesBendInTheDirectionOfTheBindPose) {
  const Skeleton s = human({"%UpperArm", "%LowerArm", "%Hand"}, {"%UpperLeg", "%LowerLeg", "%Foot"}, "Left", "Right");
  for (const char* name : {"LeftLowerArm", "RightLowerArm", "LeftLowerLeg", "RightLowerLeg"}) {
    const JointRange range = rangeOf(s, name);
    ASSERT_TRUE(range.isHinge()) << name;
    EXPECT_LT(range.swing.lo, 0);
    EXPECT_GT(range.swing.lo, -30);
    EXPECT_GT(range.swing.hi, 90);
    // Hands come to the front, feet go to the back.
    const int j = s.find(name);
    const Vec3d tip = s.bindPosition(j + 1) - s.bindPosition(j);
    const double forward = Affine::rotation(range.axis, 1.2).applyLinear(tip).z;
    if (std::string(name).ends_with("Arm"))
      EXPECT_GT(forward, 0.1) << name;
    else
      EXPECT_LT(forward, -0.1) << name;
  }
}

TEST(HumanRanges, AStraightLimbBendsLikeItsMirrorImage) {
  Skeleton s = human({"%UpperArm", "%LowerArm", "%Hand"}, {"%UpperLeg", "%LowerLeg", "%Foot"}, "Left", "Right");
  const JointRange bent = rangeOf(s, "RightLowerArm");
  auto& elbow = s.joints[static_cast<std::size_t>(s.find("RightLowerArm"))];
  elbow.bind.m[2][3] = 0;
  elbow.rest = elbow.bind;
  const JointRange straight = rangeOf(s, "RightLowerArm");
  ASSERT_TRUE(straight.isHinge());
  EXPECT_NEAR(length(straight.axis - bent.axis), 0, 1e-6);
  EXPECT_EQ(straight.swing.lo, 0);
}

TEST(HumanRanges, StraightLimbsOnBothSidesAreNoHinges) {
  Skeleton s = human({"%UpperArm", "%LowerArm", "%Hand"}, {"%UpperLeg", "%LowerLeg", "%Foot"}, "Left", "Right");
  for (Joint& joint : s.joints) joint.bind.m[2][3] = 0;
  const JointRange range = rangeOf(s, "LeftLowerLeg");
  EXPECT_FALSE(range.isHinge());
  EXPECT_EQ(range.swing, (AngleInterval{0, 70}));
}

TEST(HumanRanges, FingertipsBendLikeThePreviousJoint) {
  Builder b;
  b.skeleton = human({"%UpperArm", "%LowerArm", "%Hand"}, {"%UpperLeg", "%LowerLeg", "%Foot"}, "Left", "Right");
  int at = b.skeleton.find("LeftHand");
  const Vec3d places[] = {{0.85, 1.5, 0}, {0.9, 1.5, 0}, {0.93, 1.48, 0}};
  for (int i = 0; i < 3; ++i) at = b.add("LeftIndex" + std::to_string(i + 1), at, places[i]);
  const JointRange first = rangeOf(b.skeleton, "LeftIndex1"), second = rangeOf(b.skeleton, "LeftIndex2"),
                   third = rangeOf(b.skeleton, "LeftIndex3");
  EXPECT_FALSE(first.isHinge()) << "it also spreads";
  ASSERT_TRUE(second.isHinge());
  EXPECT_EQ(second.axis, third.axis);
  EXPECT_NEAR(second.axis.z, -1, 1e-9);
}

TEST(HumanRanges, OtherJointsHaveTheDefaultRange) {
  Builder b;
  b.skeleton = human({"%UpperArm", "%LowerArm", "%Hand"}, {"%UpperLeg", "%LowerLeg", "%Foot"}, "Left", "Right");
  b.add("Tail", 0, {0, 1, -0.5});
  EXPECT_EQ(rangeOf(b.skeleton, "Tail"), JointRange{});
}

} // namespace
} // namespace skincells::rig
