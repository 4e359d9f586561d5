#include <gtest/gtest.h>

#include "rig/motion/range_file.h"
#include "support/files.h"
#include "support/shapes.h"

namespace skincells::rig {
namespace {

class RangeFile : public testing::Test {
protected:
  RangeFile() {
    for (const char* name : {"Hips", "LeftArm", "LeftHand", "RightArm", "odd/na~me"})
      test::addJoint(skeleton, name, skeleton.jointCount() - 1, {0, 1.0 * skeleton.jointCount(), 0});
    motions.resize(skeleton.joints.size());
    for (std::size_t j = 0; j < motions.size(); ++j) motions[j].joint = static_cast<int>(j);
  }

  // The error as text; empty if there is none.
  std::string apply(std::string_view text) {
    const auto result = rig::applyRanges(skeleton, text, "rom.json", motions);
    return result ? "" : result.error().text();
  }
  const JointMotion& motion(const char* name) const { return motions[static_cast<std::size_t>(skeleton.find(name))]; }

  Skeleton skeleton;
  std::vector<JointMotion> motions;
};

TEST_F(RangeFile, LaterEntriesOverrideEarlierOnes) {
  ASSERT_EQ(apply(R"({"default": {"swing": 20, "twist": 10},
                      "joints": {"Left*": {"swing": 50},
                                 "LeftHand": {"twist": [-5, 80]},
                                 "R*": {"swing": [-10, 120], "axis": [0, 0, 2]}}})"),
            "");
  EXPECT_EQ(motion("Hips").range, (JointRange{{0, 20}, {-10, 10}, {}}));
  EXPECT_EQ(motion("Hips").source, "rom-file");
  EXPECT_EQ(motion("Hips").detail, "default");
  EXPECT_EQ(motion("LeftArm").range, (JointRange{{0, 50}, {-10, 10}, {}}));
  EXPECT_EQ(motion("LeftArm").detail, "Left*");
  EXPECT_EQ(motion("LeftHand").range, (JointRange{{0, 50}, {-5, 80}, {}}));
  EXPECT_EQ(motion("LeftHand").detail, "LeftHand");
  EXPECT_EQ(motion("RightArm").range, (JointRange{{-10, 120}, {-10, 10}, {0, 0, 1}}));
}

TEST_F(RangeFile, RangesThatAreNotMentionedDoNotChange) {
  motions[0].source = "humanoid";
  motions[1].range = {{-20, 100}, {-3, 3}, {1, 0, 0}};
  ASSERT_EQ(apply(R"({"joints": {"LeftArm": {"twist": 30}, "RightArm": {"swing": [15, 15]}}})"), "");
  EXPECT_EQ(motion("Hips").source, "humanoid");
  EXPECT_EQ(motion("LeftArm").range, (JointRange{{-20, 100}, {-30, 30}, {1, 0, 0}}));
  EXPECT_EQ(motion("RightArm").range, (JointRange{{15, 15}, JointRange{}.twist, {}}));
  EXPECT_EQ(motion("LeftHand").source, "generic");
}

TEST_F(RangeFile, ASwingWithoutAxisReplacesAHinge) {
  motions[1].range = {{-20, 100}, {-3, 3}, {1, 0, 0}};
  ASSERT_EQ(apply(R"({"joints": {"LeftArm": {"swing": 40}}})"), "");
  EXPECT_FALSE(motion("LeftArm").range.isHinge());
}

TEST_F(RangeFile, ErrorsSayWhereAndWhatToDo) {
  struct Case {
    const char* text;
    std::vector<const char*> words;
  };
  const std::vector<Case> cases{
      {"", {"rom.json: ", "empty"}},
      {" \n", {"empty"}},
      {"joints: 1", {"rom.json: ", "not valid JSON", "column 1"}},
      {"{\n\"default\": {\"swing\": 3,}\n}", {"not valid JSON", "line 2"}},
      {"{\"default\": {\"swing\": 1e999}}", {"not valid JSON"}},
      {"{\"default\": {\"swing\": NaN}}", {"not valid JSON"}},
      {"[]", {"rom.json#: ", "\"default\"", "\"joints\""}},
      {"{}", {"contains no range"}},
      {R"({"joint": {}})", {"rom.json#/joint: ", "use \"default\" and \"joints\""}},
      {R"({"joints": []})", {"rom.json#/joints: ", "object"}},
      {R"({"default": 35})", {"rom.json#/default: ", "\"swing\""}},
      {R"({"default": {}})", {"#/default: ", "is empty"}},
      {R"({"default": {"swign": 3}})", {"#/default/swign: ", "use \"swing\""}},
      {R"({"joints": {"LeftArn": {"swing": 3}}})",
       {"#/joints/LeftArn: ", "matches no joint", "close to it: 'LeftArm'"}},
      {R"({"joints": {"Tail*": {"swing": 3}}})", {"#/joints/Tail*: ", "matches no joint"}},
      {R"({"joints": {"Hips": {"swing": "35"}}})", {"#/joints/Hips/swing: ", "number of degrees", "\"35\""}},
      {R"({"joints": {"Hips": {"swing": null}}})", {"#/joints/Hips/swing: ", "number"}},
      {R"({"joints": {"Hips": {"swing": -1}}})", {"#/joints/Hips/swing: ", "-1", "0 .. 180"}},
      {R"({"joints": {"Hips": {"swing": 181}}})", {"181", "0 .. 180"}},
      {R"({"joints": {"Hips": {"swing": [-5, 5]}}})", {"#/joints/Hips/swing/0: ", "0 .. 180"}},
      {R"({"joints": {"Hips": {"twist": [-5, 190]}}})", {"#/joints/Hips/twist/1: ", "-180 .. 180"}},
      {R"({"joints": {"Hips": {"twist": [20, -20]}}})", {"#/joints/Hips/twist: ", "reversed", "[-20, 20]"}},
      {R"({"joints": {"Hips": {"twist": [1, 2, 3]}}})", {"#/joints/Hips/twist: ", "list of two"}},
      {R"({"joints": {"Hips": {"twist": [1, true]}}})", {"#/joints/Hips/twist/1: ", "number"}},
      {R"({"joints": {"Hips": {"swing": 5, "axis": 1}}})", {"#/joints/Hips/axis: ", "three numbers"}},
      {R"({"joints": {"Hips": {"swing": 5, "axis": [0, 0, "1"]}}})", {"#/joints/Hips/axis/2: ", "number"}},
      {R"({"joints": {"Hips": {"swing": 5, "axis": [0, 0, 0]}}})", {"#/joints/Hips/axis: ", "direction"}},
      {R"({"joints": {"Hips": {"axis": [0, 0, 1]}}})", {"#/joints/Hips: ", "no \"swing\""}},
      {R"({"joints": {"Hips": {"swing": 5}, "Hips": {"swing": 6}}})", {"rom.json#/joints/Hips: ", "duplicate"}},
      {R"({"joints": {"Hips": {"swing": 5, "swing": 6}}})", {"rom.json#/joints/Hips/swing: ", "duplicate"}},
      {R"({"joints": {"odd/na~me": {"swing": 500}}})", {"#/joints/odd~1na~0me/swing: "}},
  };
  for (const Case& c : cases) {
    const std::string error = apply(c.text);
    EXPECT_NE(error, "") << c.text;
    for (const char* word : c.words) EXPECT_NE(error.find(word), std::string::npos) << c.text << "\n" << error;
  }
}

TEST_F(RangeFile, TheReportOfAnotherBindHasItsRanges) {
  std::string joints;
  for (const Joint& joint : skeleton.joints)
    joints +=
        (joints.empty() ? "" : ",") + std::string(R"({"name": ")") + joint.name +
        R"(", "range": {"source": "clip", "swing_degrees": [-3, 40.5], "twist_degrees": [-7, 8], "axis": [1, 0, 0]}})";
  const auto report = [](const std::string& list) { return R"({"command": "bind", "joints": [)" + list + "]}"; };
  ASSERT_EQ(apply(report(joints)), "");
  for (const JointMotion& m : motions) EXPECT_EQ(m.range, (JointRange{{-3, 40.5}, {-7, 8}, {1, 0, 0}}));
  EXPECT_EQ(motion("LeftHand").detail, "LeftHand");
  const std::string one = joints.substr(0, joints.find("},{") + 1);
  EXPECT_NE(apply(report(one)).find("same skeleton"), std::string::npos);
  std::string renamed = joints;
  renamed.replace(renamed.find("LeftHand"), 8, "LeftFoot");
  EXPECT_NE(apply(report(renamed)).find("is not 'LeftHand'"), std::string::npos);
  std::string without = joints;
  without.replace(without.find("range"), 5, "no");
  EXPECT_NE(apply(report(without)).find("has no range"), std::string::npos);
}

TEST_F(RangeFile, FilesThatCannotBeRead) {
  const test::TemporaryFolder folder;
  const auto missing = rig::applyRangeFile(skeleton, folder.path("none.json"), motions);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::FileNotFound);
  EXPECT_EQ(missing.error().where, "--rom");
  EXPECT_FALSE(rig::applyRangeFile(skeleton, folder.path(""), motions));
  test::writeText(folder.path("rom.json"), "\xEF\xBB\xBF{\"default\": {\"swing\": 7}}");
  ASSERT_TRUE(rig::applyRangeFile(skeleton, folder.path("rom.json"), motions));
  EXPECT_EQ(motions[2].range.swing, (AngleInterval{0, 7}));
}

} // namespace
} // namespace skincells::rig
