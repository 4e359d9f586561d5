#include <gtest/gtest.h>

#include "rig/names/joint_names.h"
#include "support/shapes.h"

namespace skincells {
namespace {

using rig::Side;
using Words = std::vector<std::string>;

struct NameCase {
  const char* name;
  Words words;
  Side side;
};

class JointNames : public testing::TestWithParam<NameCase> {};

TEST_P(JointNames, SplitIntoWordsAndSide) {
  const rig::JointName got = rig::splitJointName(GetParam().name);
  EXPECT_EQ(got.words, GetParam().words) << GetParam().name;
  EXPECT_EQ(got.side, GetParam().side) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(Styles, JointNames,
                         testing::Values(
                             // Mixamo, with and without its namespace
                             NameCase{"mixamorig:LeftHandIndex4", {"hand", "index", "4"}, Side::Left},
                             NameCase{"mixamorig1:HeadTop_End", {"head", "top", "end"}, Side::None},
                             NameCase{"mixamorigRightToe_End", {"toe", "end"}, Side::Right},
                             NameCase{"mixamorig5_LeftUpLeg", {"up", "leg"}, Side::Left},
                             // Rigify
                             NameCase{"DEF-thigh.L.001", {"def", "thigh", "001"}, Side::Left},
                             NameCase{"MCH-foot_ik.parent.R", {"mch", "foot", "ik", "parent"}, Side::Right},
                             NameCase{"ORG-upper_arm.R", {"org", "upper", "arm"}, Side::Right},
                             // Unreal
                             NameCase{"thigh_twist_01_l", {"thigh", "twist", "01"}, Side::Left},
                             NameCase{"ik_hand_gun", {"ik", "hand", "gun"}, Side::None},
                             NameCase{"SOCKET_weapon_r", {"socket", "weapon"}, Side::Right},
                             // 3ds Max Biped
                             NameCase{"Bip01 L Thigh", {"bip", "01", "thigh"}, Side::Left},
                             NameCase{"Bip001 HeadNub", {"bip", "001", "head", "nub"}, Side::None},
                             NameCase{"Bip01 REyeBlinkTop", {"bip", "01", "eye", "blink", "top"}, Side::Right},
                             // Blender
                             NameCase{"UpperArm.L", {"upper", "arm"}, Side::Left},
                             NameCase{"hand_ik.r", {"hand", "ik"}, Side::Right},
                             NameCase{"IKBackLeg.R", {"ik", "back", "leg"}, Side::Right},
                             NameCase{"kneeIK.l", {"knee", "ik"}, Side::Left},
                             NameCase{"leg1PT.L", {"leg", "1", "pt"}, Side::Left},
                             // VRM
                             NameCase{"J_Bip_L_UpperArm", {"j", "bip", "upper", "arm"}, Side::Left},
                             NameCase{"J_Sec_Hair1_01_end", {"j", "sec", "hair", "1", "01", "end"}, Side::None},
                             // Maya paths and namespaces, other
                             NameCase{"|group1|rig:spine_JNT", {"spine", "jnt"}, Side::None},
                             NameCase{"control-toe-roll.l", {"control", "toe", "roll"}, Side::Left},
                             NameCase{"high (6)", {"high", "6"}, Side::None}, NameCase{"", {}, Side::None},
                             NameCase{"::", {}, Side::None}, NameCase{"\xE9\xA0\xAD", {"\xE9\xA0\xAD"}, Side::None}));

TEST(ExporterNumbers, RunningNumbersAreRemoved) {
  EXPECT_EQ(rig::withoutExporterNumbers({"_rootJoint_00", "Hips_01", "Spine_02", "Head_end_015"}),
            (Words{"_rootJoint", "Hips", "Spine", "Head_end"}));
  EXPECT_EQ(rig::withoutExporterNumbers({"Bip001_012_10", "Bone_end_40_024_18", "Tail_020_19", "Ear_021_20"}),
            (Words{"Bip001", "Bone_end_40", "Tail", "Ear"}));
  EXPECT_EQ(rig::withoutExporterNumbers({"jaw_End.17_17", "neck_05.14_14", "center.5_5", "wing.1_6"}),
            (Words{"jaw_End", "neck_05", "center", "wing.1"}));
}

TEST(ExporterNumbers, MeaningfulNumbersStay) {
  const Words repeated{"arm_1", "arm_2", "leg_1", "leg_2"};
  EXPECT_EQ(rig::withoutExporterNumbers(repeated), repeated);
  const Words some{"Hips", "Spine_1", "Spine_2", "Spine_3"};
  EXPECT_EQ(rig::withoutExporterNumbers(some), some);
  const Words few{"a_1", "a_2"};
  EXPECT_EQ(rig::withoutExporterNumbers(few), few);
  EXPECT_TRUE(rig::withoutExporterNumbers({}).empty());
}

TEST(ExporterNumbers, AChainOfDigitsAloneTerminates) {
  const Words names{"_1", "_2", "_3", "_4"};
  EXPECT_EQ(rig::withoutExporterNumbers(names), names);
}

} // namespace
} // namespace skincells
