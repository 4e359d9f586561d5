#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "skincells/apply.h"
#include "skincells/viz/viewer_page.h"
#include "support/files.h"
#include "support/gltf_builder.h"

namespace skincells {
namespace {

using test::TubeDocument;

// The JSON between the page's markers.
nlohmann::json payloadOf(const std::string& page) {
  const std::string open = R"(id="skincells-characters">)";
  const std::size_t begin = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin), nullptr, false);
}

CharacterFile tubeFile(const std::string& name = "tube.glb") {
  return std::move(*CharacterFile::readGlb(TubeDocument(4).glb(), name));
}

ViewCharacter character(const CharacterFile& file, const std::string& label = "") {
  return {.file = &file, .label = label};
}

TEST(ViewerPage, SaysWhenThereIsNone) {
  if (hasViewer()) GTEST_SKIP() << "this build has the page";
  const auto page = viewerPage({});
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, ErrorCode::UnsupportedFeature);
}

TEST(ViewerPage, HoldsTheCharacters) {
  if (!hasViewer()) GTEST_SKIP() << "this build has no page";
  const CharacterFile a = tubeFile(), b = tubeFile("other.glb");
  const auto page = viewerPage({character(a), character(b, "second")});
  ASSERT_TRUE(page);
  const auto payload = payloadOf(*page);
  ASSERT_EQ(payload["characters"].size(), 2U);
  EXPECT_EQ(payload["characters"][0]["name"], "tube");
  EXPECT_EQ(payload["characters"][1]["name"], "second");
  EXPECT_EQ(payload["characters"][0]["joints"].size(), 4U);
  EXPECT_TRUE(payload["characters"][0]["glb"].get<std::string>().starts_with("Z2xURg")); // "glTF"
  EXPECT_FALSE(payload["characters"][0].contains("field"));
  EXPECT_EQ(payload["characters"][0]["stance"]["forward"].size(), 3U);
  EXPECT_FALSE(payload["characters"][0]["stance"].contains("up")); // no feet to tell it
}

TEST(ViewerPage, HasTheThresholdsOfReports) {
  if (!hasViewer()) GTEST_SKIP() << "this build has no page";
  const auto settings = payloadOf(*viewerPage({}))["settings"];
  const auto& first = settings["thresholds"][0];
  EXPECT_EQ(first["metric"], defaultGate()[0].name);
  EXPECT_LT(first["good"].get<double>(), first["bad"].get<double>());
  EXPECT_EQ(settings["defaultSwing"], (nlohmann::json{0, 35}));
  EXPECT_GT(settings["randomPoses"].get<int>(), 0);
}

TEST(ViewerPage, NamesCannotBreakOut) {
  if (!hasViewer()) GTEST_SKIP() << "this build has no page";
  const CharacterFile a = tubeFile();
  const std::string nasty = "</script><script>alert(1)</script><!--";
  const auto page = viewerPage({character(a, nasty)});
  ASSERT_TRUE(page);
  EXPECT_EQ(page->find("<script>alert"), std::string::npos);
  EXPECT_EQ(payloadOf(*page)["characters"][0]["name"], nasty);
}

TEST(ViewerPage, ShowsTheCellsOfABind) {
  if (!hasViewer()) GTEST_SKIP() << "this build has no page";
  const CharacterFile file = tubeFile();
  BindOptions options;
  options.quality = BindQuality::Draft;
  const auto bound = bind(file.character(), options);
  ASSERT_TRUE(bound);
  ViewCharacter viewed = character(file);
  viewed.bound = &*bound;
  const auto page = viewerPage({viewed});
  ASSERT_TRUE(page);
  const auto field = payloadOf(*page)["characters"][0]["field"];
  const std::size_t joints = field["joints"].size(), sites = joints * field["siteCount"].get<std::size_t>();
  EXPECT_GT(joints, 0U);
  EXPECT_EQ(field["centers"].size(), 3 * sites);
  EXPECT_EQ(field["shapes"].size(), 9 * sites);
  EXPECT_EQ(field["offsets"].size(), sites);
  EXPECT_EQ(field["falloffs"].size(), joints);
}

TEST(ViewerPage, ShowsHowFarJointsTurn) {
  if (!hasViewer()) GTEST_SKIP() << "this build has no page";
  const CharacterFile file = tubeFile();
  const auto motionsOf = [](const Result<std::string>& page) { return payloadOf(*page)["characters"][0]["motions"]; };
  const auto page = viewerPage({character(file)});
  ASSERT_TRUE(page);
  const auto motions = motionsOf(page);
  ASSERT_EQ(motions.size(), 4U);
  EXPECT_EQ(motions[1]["source"], "generic");
  EXPECT_EQ(motions[1]["swing"], (nlohmann::json{0, 35}));
  EXPECT_EQ(motions[1]["bone"], (nlohmann::json{0, 1, 0}));
  const test::TemporaryFolder folder;
  test::writeText(folder.path("rom.json"), R"({"joints": {"joint1": {"swing": [-5, 70], "axis": [0, 0, 1]}}})");
  const auto named = viewerPage({character(file)}, {.rom = folder.path("rom.json").string()});
  ASSERT_TRUE(named) << named.error().text();
  EXPECT_EQ(motionsOf(named)[1]["axis"], (nlohmann::json{0, 0, 1}));
  EXPECT_EQ(viewerPage({character(file)}, {.rom = "no such file"}).error().code, ErrorCode::FileNotFound);
}

TEST(ViewerPage, LeavesOutAFieldThatDoesNotFit) {
  if (!hasViewer()) GTEST_SKIP() << "this build has no page";
  const CharacterFile file = tubeFile();
  BindOptions options;
  options.quality = BindQuality::Draft;
  auto bound = bind(file.character(), options);
  ASSERT_TRUE(bound);
  Warnings warnings;
  FieldDocument field = describeField(file.character(), *bound, warnings);
  ViewCharacter viewed = character(file);
  viewed.field = &field;
  const auto shown = [&] { return payloadOf(*viewerPage({viewed}))["characters"][0]; };
  EXPECT_TRUE(checkFieldFits(file.character(), field));
  EXPECT_TRUE(shown().contains("field"));
  field.skeleton.joints[1].bind.m[1][3] += 0.5;
  EXPECT_EQ(checkFieldFits(file.character(), field).error().code, ErrorCode::Mismatch);
  EXPECT_FALSE(shown().contains("field"));
  EXPECT_EQ(shown()["warnings"].back()["code"], "field.mismatch");
  field.skeleton.joints[1].name = "tail";
  EXPECT_NE(checkFieldFits(file.character(), field).error().message.find("'tail'"), std::string::npos);
}

TEST(ViewerPage, AllowsNoRequests) {
  if (!hasViewer()) GTEST_SKIP() << "this build has no page";
  EXPECT_TRUE(viewerPolicy().starts_with("default-src 'none'; script-src 'sha256-"));
  EXPECT_EQ(viewerPolicy().find("unsafe-inline"), std::string_view::npos);
  EXPECT_EQ(viewerPolicy().find("http"), std::string_view::npos);
}

TEST(EncodeGlb, TakesEverythingIn) {
  const auto glb = tubeFile().encodeGlb();
  ASSERT_TRUE(glb);
  const auto again = CharacterFile::readGlb(*glb, "again.glb");
  ASSERT_TRUE(again) << again.error().text();
  const CharacterFile first = tubeFile();
  EXPECT_EQ(again->character().mesh.positions, first.character().mesh.positions);
  EXPECT_EQ(again->character().weights.weights, first.character().weights.weights);
}

TEST(EncodeGlb, RefusesWeightsOfAnotherMesh) {
  EXPECT_FALSE(tubeFile().encodeGlb(SparseWeights(3, 4)));
}

} // namespace
} // namespace skincells
