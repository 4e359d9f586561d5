#include "skincells/verdict.h"

#include <cmath>

#include <gtest/gtest.h>

#include "skincells/threads.h"
#include "support/files.h"
#include "support/shapes.h"

namespace skincells {
namespace {

// The middle of each bone follows it; around the joints two share.
SparseWeights smoothWeights(const Character& c) {
  SparseWeights w(c.mesh.positions.size(), 4);
  const int last = c.skeleton.jointCount() - 1;
  const double step = c.skeleton.bindPosition(1).y - c.skeleton.bindPosition(0).y;
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
    const double at =
        std::clamp(static_cast<double>(c.mesh.positions[v].y) / step - 0.5, 0.0, static_cast<double>(last));
    const int j = std::min(static_cast<int>(at), last - 1);
    const auto upper = static_cast<float>(at - j);
    w.jointRow(v)[0] = static_cast<std::uint16_t>(j);
    w.weightRow(v)[0] = 1 - upper;
    w.jointRow(v)[1] = static_cast<std::uint16_t>(j + 1);
    w.weightRow(v)[1] = upper;
  }
  return w;
}

SparseWeights scattered(const Character& c) {
  SparseWeights w(c.mesh.positions.size(), 4);
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
    w.jointRow(v)[0] = static_cast<std::uint16_t>(v % static_cast<std::size_t>(c.skeleton.jointCount()));
    w.weightRow(v)[0] = 1;
  }
  return w;
}

std::string gateFile(const test::TemporaryFolder& folder, const std::string& text) {
  test::writeText(folder.path("gate.json"), text);
  return folder.path("gate.json").string();
}

Gate gate(double good, double bad) {
  return {{"size", "size", 2, good, bad, "make it smaller"}};
}

TEST(Verdict, LimitsAreInclusive) {
  EXPECT_EQ(judge({{"size", 1}}, gate(1, 2)).grade, Grade::Good);
  EXPECT_EQ(judge({{"size", 1.01}}, gate(1, 2)).grade, Grade::Look);
  EXPECT_EQ(judge({{"size", 2}}, gate(1, 2)).grade, Grade::Look);
  EXPECT_EQ(judge({{"size", 2.01}}, gate(1, 2)).grade, Grade::Bad);
  const Verdict nan = judge({{"size", std::nan("")}}, gate(1, 2));
  EXPECT_EQ(nan.grade, Grade::Bad);
  EXPECT_TRUE(std::isfinite(nan.findings[0].value));
}

TEST(Verdict, TheWorstMeasureDecidesAndReasonsAreWorstFirst) {
  Gate rows = gate(1, 2);
  rows.push_back({"weight", "weight", 2, 1, 2, "make it lighter"});
  rows.push_back({"age", "age", 2, 1, 2, ""});
  const Verdict v = judge({{"size", 1.5}, {"weight", 3, "arm"}, {"age", 0}, {"unknown", 9}}, rows);
  EXPECT_EQ(v.grade, Grade::Bad);
  EXPECT_EQ(v.findings.size(), 3U); // a measure without a threshold is not judged
  ASSERT_EQ(v.reasons().size(), 2U);
  EXPECT_EQ(v.reasons()[0]->threshold.name, "weight");
  EXPECT_EQ(v.reasons()[0]->where, "arm");
  EXPECT_EQ(v.reasons()[1]->threshold.name, "size");
}

TEST(Verdict, NothingMeasuredIsGood) {
  EXPECT_EQ(judge({}, {}).grade, Grade::Good);
}

TEST(Verdict, SmoothWeightsAreBetterThanScatteredOnes) {
  const Character c = test::tubeCharacter();
  const Verdict smooth = judgeSkin(c, smoothWeights(c)), spoiled = judgeSkin(c, scattered(c));
  EXPECT_NE(smooth.grade, Grade::Bad);
  EXPECT_EQ(spoiled.grade, Grade::Bad);
  EXPECT_FALSE(spoiled.reasons()[0]->where.empty());
  EXPECT_EQ(spoiled.poses, "24 random poses");
}

TEST(Verdict, DoesNotDependOnTheNumberOfThreads) {
  const Character c = test::tubeCharacter();
  const SparseWeights w = smoothWeights(c);
  const Verdict many = judgeSkin(c, w);
  const ThreadLimit one(1);
  const Verdict single = judgeSkin(c, w);
  ASSERT_EQ(many.findings.size(), single.findings.size());
  for (std::size_t i = 0; i < many.findings.size(); ++i) EXPECT_EQ(many.findings[i].value, single.findings[i].value);
}

TEST(Verdict, AGateFileChangesLimits) {
  const test::TemporaryFolder folder;
  const std::string path = gateFile(
      folder, R"({"stretch_rms": {"good": 0.01, "bad": 0.02}, "tear_percent": {"bad": 5}, "volume_percent": null})");
  const auto gate = readGate(path);
  ASSERT_TRUE(gate) << gate.error().text();
  EXPECT_EQ(gate->size(), defaultGate().size() - 1);
  EXPECT_EQ(gate->front().bad, 0.02);
  EXPECT_EQ(readGate("")->size(), defaultGate().size());
}

TEST(Verdict, AGateFileIsChecked) {
  const test::TemporaryFolder folder;
  const auto messageOf = [&](const std::string& text) { return readGate(gateFile(folder, text)).error().text(); };
  EXPECT_NE(messageOf(R"({"strech_rms": {"bad": 1}})").find("the measures are stretch_rms"), std::string::npos);
  EXPECT_NE(messageOf(R"({"stretch_rms": {"good": 9}})").find("good up to 9 but bad beyond"), std::string::npos);
  EXPECT_NE(messageOf(R"({"stretch_rms": {"worst": 9}})").find("is not a known key"), std::string::npos);
  EXPECT_NE(messageOf(R"({"stretch_rms": {"bad": "much"}})").find("must be a number"), std::string::npos);
  EXPECT_NE(messageOf(R"({"stretch_rms": {"good": -1}})").find("must not be negative"), std::string::npos);
  EXPECT_NE(messageOf(R"({"stretch_rms": 3})").find("must be an object"), std::string::npos);
  EXPECT_NE(messageOf("[]").find("must be an object"), std::string::npos);
  EXPECT_FALSE(readGate(folder.path("missing.json").string()));
}

TEST(Verdict, FailsOn) {
  EXPECT_FALSE(fails(Grade::Bad, FailOn::Never));
  EXPECT_TRUE(fails(Grade::Bad, FailOn::Bad));
  EXPECT_FALSE(fails(Grade::Look, FailOn::Bad));
  EXPECT_TRUE(fails(Grade::Look, FailOn::Warn));
  EXPECT_FALSE(fails(Grade::Good, FailOn::Warn));
}

} // namespace
} // namespace skincells
