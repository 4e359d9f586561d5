#include <gtest/gtest.h>

#include "joints/rules.h"
#include "support/shapes.h"

namespace skincells::joints {
namespace {

// A closed tube from y = 0 to 4 of radius 0.4 (diagonal about 4.15), and joints that tests add.
class JointRules : public testing::Test {
protected:
  void SetUp() override { character.mesh = test::tube(4, 0.4, 17, 12); }

  int add(const std::string& name, int parent, const Vec3d& position) {
    Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.bind = joint.rest = Affine::fromTranslation(position);
    character.skeleton.joints.push_back(joint);
    return character.skeleton.jointCount() - 1;
  }
  // The rule that applies to a joint.
  std::string rule(int joint) {
    const auto decisions = chooseByRules(character);
    EXPECT_EQ(decisions.size(), character.skeleton.joints.size());
    const JointDecision& d = decisions[static_cast<std::size_t>(joint)];
    EXPECT_EQ(d.joint, joint);
    EXPECT_EQ(d.deforms, d.rule == "deforms");
    EXPECT_FALSE(d.reason.empty());
    return d.rule;
  }
  Character character;
};

TEST_F(JointRules, BodyJointsDeform) {
  const int hips = add("Hips", kNoParent, {0, 1, 0}), spine = add("Spine", hips, {0, 2, 0});
  EXPECT_EQ(rule(hips), "deforms");
  EXPECT_EQ(rule(spine), "deforms");
}

TEST_F(JointRules, PlaceholderIsAtTheOriginButNotInTheNodeTree) {
  const int hips = add("Hips", kNoParent, {0, 2, 0});
  const int spine = add("Spine", hips, {0, 0, 0}), chest = add("Chest", spine, {0, 0, 0});
  const int head = add("Head", chest, {0, 3.5, 0});
  character.skeleton.joints[static_cast<std::size_t>(spine)].rest = Affine::fromTranslation({0, 2.5, 0});
  character.skeleton.joints[static_cast<std::size_t>(chest)].rest = Affine::fromTranslation({0, 3, 0});
  EXPECT_EQ(rule(spine), "placeholder");
  EXPECT_EQ(rule(chest), "placeholder");
  EXPECT_EQ(rule(head), "deforms");
  EXPECT_EQ(misplacedJoints(chooseByRules(character)), (std::vector<int>{spine, chest}));
  // At the origin in the node tree too.
  character.skeleton.joints[static_cast<std::size_t>(spine)].rest = Affine::fromTranslation({0, 0, 0});
  EXPECT_EQ(rule(spine), "deforms");
}

TEST_F(JointRules, UnusableBindMatrixUnlessMostAreUnusable) {
  const int a = add("a", kNoParent, {0, 1, 0}), b = add("b", a, {0, 2, 0}), c = add("c", b, {0, 3, 0});
  character.skeleton.joints[static_cast<std::size_t>(c)].bind_usable = false;
  EXPECT_EQ(rule(c), "placeholder");
  for (Joint& joint : character.skeleton.joints) joint.bind_usable = false;
  EXPECT_EQ(rule(c), "deforms");
}

TEST_F(JointRules, RootsOutsideTheMesh) {
  const int top = add("Armature", kNoParent, {0, -1, 0}), root = add("b_Root", top, {0, -1, 0});
  const int hips = add("Hips", root, {0, 1, 0});
  add("Spine", hips, {0, 2, 0});
  add("Head", hips, {0, 3, 0});
  EXPECT_EQ(rule(top), "root");
  EXPECT_EQ(rule(root), "root");
  EXPECT_EQ(rule(hips), "deforms");
}

// As close to the mesh as a foot joint, but at the position of a root.
TEST_F(JointRules, RootsStackedAtOnePositionOnTheGround) {
  const int top = add("skeleton", kNoParent, {0, -0.05, 0}), control = add("ctrl_root", top, {0, -0.05, 0});
  const int hips = add("Hips", control, {0, 1, 0});
  add("Spine", hips, {0, 2, 0});
  add("Head", hips, {0, 3, 0});
  EXPECT_EQ(rule(top), "root");
  EXPECT_EQ(rule(control), "root");
  EXPECT_EQ(rule(hips), "deforms");
}

// Inside the mesh, below the root, and above all that deforms.
TEST_F(JointRules, ControlOfTheWholeBodyIsARoot) {
  const int top = add("master", kNoParent, {0, -1, 0}), control = add("IKMove", top, {0, 1, 0});
  const int body = add("thorax", control, {0, 1.5, 0});
  add("leg", body, {0, 2, 0});
  add("head", body, {0, 3, 0});
  EXPECT_EQ(rule(control), "root");
  EXPECT_EQ(rule(body), "deforms");
  character.skeleton.joints[static_cast<std::size_t>(control)].name = "hips_ctrl"; // the body's own root
  EXPECT_EQ(rule(control), "deforms");
}

TEST_F(JointRules, RootsThatCarryTheBodyStay) {
  const int root = add("Root", kNoParent, {0, 1, 0});
  add("Spine", root, {0, 2, 0});
  EXPECT_EQ(rule(root), "deforms");
  character.skeleton.joints[0].bind = Affine::fromTranslation({3, 1, 0});
  EXPECT_EQ(rule(root), "root");
  character.skeleton.joints[0].name = "Pelvis";
  EXPECT_EQ(rule(root), "deforms");
}

TEST_F(JointRules, SyntheticRootInsideTheMesh) {
  for (Vec3f& p : character.mesh.positions) p.y -= 2;
  const int root = add("_rootJoint", kNoParent, {0, 0, 0});
  add("Hips", root, {0, 0.5, 0});
  EXPECT_EQ(rule(root), "root");
}

TEST_F(JointRules, ControlsByName) {
  const int hips = add("Hips", kNoParent, {0, 1, 0});
  for (const char* name : {"leg_ik.L", "kneeIK.r", "IK-foot", "PoleTarget.R", "hand_ctrl", "handslot.l", "WeaponSocket",
                           "MCH-spine", "leg1PT.L", "Locator_head", "attach_back"})
    EXPECT_EQ(rule(add(name, hips, {0, 2, 0.1})), "control") << name;
  for (const char* name : {"Spike", "Hiking", "Tadpole", "Chest", "Optic"})
    EXPECT_EQ(rule(add(name, hips, {0, 2, 0.1})), "deforms") << name;
}

TEST_F(JointRules, AControlThatHoldsADeformingJointStays) {
  const int hips = add("Hips", kNoParent, {0, 1, 0}), ik = add("IKLeg.L", hips, {0, 2, 0});
  const int target = add("IKTarget", ik, {0, 2.5, 0});
  EXPECT_EQ(rule(ik), "control");
  add("Foot.L", target, {0, 3, 0});
  EXPECT_EQ(rule(ik), "deforms");
  EXPECT_EQ(rule(target), "deforms");
}

TEST_F(JointRules, AControlAtThePositionOfAnotherJointIsNoBone) {
  const int hips = add("Hips", kNoParent, {0, 1, 0}), leg = add("Leg.L", hips, {0, 2, 0});
  const int ik = add("IKLeg.L", hips, {0, 2, 0});
  const int foot = add("Foot.L", ik, {0, 3, 0});
  EXPECT_EQ(rule(ik), "control");
  EXPECT_EQ(rule(leg), "deforms");
  EXPECT_EQ(rule(foot), "deforms");
  character.skeleton.joints[static_cast<std::size_t>(ik)].bind = Affine::fromTranslation({0, 2.5, 0});
  EXPECT_EQ(rule(ik), "deforms"); // no other bone there: a hoof on an IK joint
  character.skeleton.joints[static_cast<std::size_t>(ik)].bind = Affine::fromTranslation({3, 2.5, 0});
  EXPECT_EQ(rule(ik), "control"); // away from the mesh
}

TEST_F(JointRules, ControlsStackedOnTheRoot) {
  const int root = add("_rootJoint", kNoParent, {0, -1, 0});
  const int hand = add("HandIK.L", root, {0, -1, 0}), glove = add("Glove", hand, {0, 3, 0});
  add("Hips", root, {0, 1, 0});
  EXPECT_EQ(rule(hand), "root");
  EXPECT_EQ(rule(glove), "deforms");
}

TEST_F(JointRules, AWordThatMostNamesShareIsNoRoot) {
  const int top = add("Body_Armature", kNoParent, {0, 1, 0}), second = add("Belly_Armature", top, {0, 1, 0});
  add("Neck_Armature", second, {0, 3, 0});
  character.skeleton.joints[0].bind = character.skeleton.joints[0].rest = Affine::fromTranslation({0, -1, 0});
  EXPECT_EQ(rule(top), "root");
  character.skeleton.joints[0].bind = character.skeleton.joints[1].bind;
  EXPECT_EQ(rule(second), "deforms");
}

TEST_F(JointRules, TheTopOfOneOfSeveralSkeletonsMayBeOutside) {
  const int arm = add("arm.L", kNoParent, {2, 1, 0}), hand = add("hand.L", arm, {0, 1, 0});
  add("finger.L", hand, {0, 2, 0});
  add("arm.R", kNoParent, {-2, 1, 0});
  add("hand.R", 3, {0, 3, 0});
  add("finger.R", 4, {0, 3.5, 0});
  EXPECT_EQ(rule(arm), "deforms");
  character.skeleton.joints[0].name = "left_root";
  EXPECT_EQ(rule(arm), "root");
}

TEST_F(JointRules, ATopOnTheSurfaceIsNotOutside) {
  const int top = add("Main", kNoParent, {0.41, 1, 0});
  add("Next", top, {0, 2, 0});
  EXPECT_EQ(rule(top), "deforms");
  character.skeleton.joints[0].bind = Affine::fromTranslation({0.5, 1, 0});
  EXPECT_EQ(rule(top), "root");
}

TEST_F(JointRules, CopiesOfAChain) {
  const int hips = add("Hips", kNoParent, {0, 0.5, 0});
  const int a = add("Back1", hips, {0, 1, 0}), b = add("Back2", a, {0, 2, 0}), head = add("Head", b, {0, 3, 0});
  const int copy_a = add("Back1.001", hips, {0, 1, 0}), copy_b = add("Back2.001", copy_a, {0, 2, 0});
  const int other = add("Skull", copy_b, {0, 3, 0}); // below a copy, and on another joint
  for (int j : {copy_a, copy_b, other}) EXPECT_EQ(rule(j), "copy") << j;
  for (int j : {hips, a, b, head}) EXPECT_EQ(rule(j), "deforms") << j;
}

TEST_F(JointRules, JointsAtOnePositionAreNoCopiesWithoutASharedBone) {
  const int head = add("Head", kNoParent, {0, 3, 0});
  const int lid = add("Lid", head, {0, 3.2, 0.1}), other = add("Lid.001", head, {0, 3.2, 0.1});
  EXPECT_EQ(rule(lid), "deforms");
  EXPECT_EQ(rule(other), "deforms");
  // Numbers say nothing about joints that are all called "Bone".
  character.skeleton.joints[1].name = "Bone";
  character.skeleton.joints[2].name = "Bone.001";
  add("Bone.002", lid, {0, 3.5, 0});
  add("Bone.003", other, {0, 3.5, 0});
  EXPECT_EQ(rule(other), "deforms");
}

TEST_F(JointRules, AJointAtTheOriginWithAnotherScaleIsAPlaceholder) {
  for (Vec3f& p : character.mesh.positions) p.y -= 2;
  const int hips = add("Hips", kNoParent, {0, -1, 0}), spine = add("Spine", hips, {0, 0, 0});
  add("Head", spine, {0, 1, 0});
  EXPECT_EQ(rule(spine), "deforms");
  for (auto& row : character.skeleton.joints[static_cast<std::size_t>(spine)].rest.m)
    for (double& x : row) x *= 100;
  EXPECT_EQ(rule(spine), "placeholder");
}

TEST_F(JointRules, HumanoidBonesDeform) {
  const int root = add("root", kNoParent, {0, -1, 0}), hand = add("ik_hand", root, {3, 2, 0});
  add("Spine", root, {0, 2, 0});
  EXPECT_EQ(rule(root), "root");
  EXPECT_EQ(rule(hand), "control");
  character.skeleton.joints[0].human_bone = "hips";
  character.skeleton.joints[1].human_bone = "leftHand";
  EXPECT_EQ(rule(root), "deforms");
  EXPECT_EQ(rule(hand), "deforms");
  EXPECT_NE(chooseByRules(character)[1].reason.find("leftHand"), std::string::npos);
}

TEST_F(JointRules, EndsAreLeavesWithAnEndWord) {
  const int hips = add("Hips", kNoParent, {0, 1, 0});
  const int tail = add("tail_end", hips, {0, 2, 0}), tip = add("tail_end_end", tail, {0, 3, 0});
  EXPECT_EQ(rule(tail), "deforms"); // not a leaf
  EXPECT_EQ(rule(tip), "end");
  EXPECT_EQ(rule(add("Bip01 HeadNub", hips, {0, 3.5, 0})), "end");
  EXPECT_EQ(rule(add("HeadTop_End", hips, {0, 3.6, 0})), "end");
  EXPECT_EQ(rule(add("Bone_end_40", hips, {0, 3.2, 0})), "deforms"); // numbered: a series of bones
  EXPECT_EQ(rule(add("Bend", hips, {0, 3.1, 0})), "deforms");
  EXPECT_EQ(rule(add("Index_Tip_L", hips, {0.1, 3, 0})), "end");
  EXPECT_EQ(rule(add("Tail_Tip", hips, {0.1, 2, 0})), "deforms"); // artists weight the tips of tails and ears
}

TEST_F(JointRules, TheFourthFingerJoint) {
  const int hand = add("LeftHand", kNoParent, {0, 1, 0});
  int parent = hand;
  for (int i = 1; i <= 4; ++i) parent = add("LeftHandIndex" + std::to_string(i), parent, {0, 1 + 0.5 * i, 0});
  EXPECT_EQ(rule(parent), "end");
  EXPECT_EQ(rule(parent - 1), "deforms");
  parent = hand;
  for (int i = 2; i <= 4; ++i) parent = add("LeftHandRing" + std::to_string(i), parent, {0.1, 1 + 0.5 * i, 0});
  EXPECT_EQ(rule(parent), "deforms"); // numbered from 2: the fourth is the third
  parent = hand;
  for (int i = 1; i <= 4; ++i) parent = add("Tail" + std::to_string(i), parent, {0.1, 1 + 0.5 * i, 0});
  EXPECT_EQ(rule(parent), "deforms"); // no finger
  parent = hand;
  for (int i = 1; i <= 4; ++i) parent = add("FingerA_" + std::to_string(i), parent, {-0.1, 1 + 0.5 * i, 0});
  EXPECT_EQ(rule(parent), "deforms"); // no finger of a human hand
}

TEST_F(JointRules, OutsideLeaves) {
  const int hips = add("Hips", kNoParent, {0, 1, 0});
  const int gadget = add("Gadget", hips, {2, 1, 0});
  EXPECT_EQ(rule(gadget), "outside");
  add("Back", gadget, {0, 2, 0});
  EXPECT_EQ(rule(gadget), "deforms");                           // something below it deforms
  EXPECT_EQ(rule(add("Badge", hips, {0.45, 2, 0})), "deforms"); // near the surface
}

TEST_F(JointRules, UnmarkedJointsOfARigThatMarksItsDeformBones) {
  const int a = add("DEF-spine", kNoParent, {0, 1, 0}), b = add("DEF-spine.001", a, {0, 2, 0});
  add("DEF-head", b, {0, 3, 0});
  const int org = add("ORG-spine.001", a, {0, 2, 0}), jaw = add("jaw", b, {0, 2.5, 0.1});
  EXPECT_EQ(rule(org), "unmarked");
  EXPECT_EQ(rule(jaw), "deforms");
  EXPECT_EQ(rule(b), "deforms");
}

TEST_F(JointRules, TwinsOfTheirOnlyChild) {
  const int bip = add("Bip01", kNoParent, {0, 1, 0}), pelvis = add("Bip01 Pelvis", bip, {0, 1, 0});
  add("Bip01 Spine", pelvis, {0, 2, 0});
  EXPECT_EQ(rule(bip), "twin");
  EXPECT_EQ(rule(pelvis), "deforms");
}

TEST_F(JointRules, AllAreKeptIfNoneWouldBeLeft) {
  const int only = add("ik_target", kNoParent, {9, 9, 9});
  EXPECT_EQ(rule(only), "deforms");
  EXPECT_NE(chooseByRules(character)[0].reason.find("control"), std::string::npos);
}

TEST_F(JointRules, WithoutTrianglesNothingIsOutside) {
  character.mesh.triangles.clear();
  const int root = add("Hips", kNoParent, {50, 0, 0});
  add("Spine", root, {60, 0, 0});
  EXPECT_EQ(rule(root), "deforms");
}

} // namespace
} // namespace skincells::joints
