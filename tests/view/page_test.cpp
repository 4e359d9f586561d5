#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "skincells/view.h"
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

TEST(ViewerPage, SaysWhenThereIsNone) {
  if (hasViewer()) GTEST_SKIP() << "this build has the page";
  const auto page = viewerPage({});
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, ErrorCode::UnsupportedFeature);
}

TEST(ViewerPage, HoldsTheCharacters) {
  if (!hasViewer()) GTEST_SKIP() << "this build has no page";
  const CharacterFile a = tubeFile(), b = tubeFile("other.glb");
  const auto page = viewerPage({{&a, "", nullptr}, {&b, "second", nullptr}});
  ASSERT_TRUE(page);
  const auto payload = payloadOf(*page);
  ASSERT_EQ(payload["characters"].size(), 2U);
  EXPECT_EQ(payload["characters"][0]["name"], "tube");
  EXPECT_EQ(payload["characters"][1]["name"], "second");
  EXPECT_EQ(payload["characters"][0]["joints"].size(), 4U);
  EXPECT_TRUE(payload["characters"][0]["glb"].get<std::string>().starts_with("Z2xURg")); // "glTF"
  EXPECT_FALSE(payload["characters"][0].contains("field"));
}

TEST(ViewerPage, NamesCannotBreakOut) {
  if (!hasViewer()) GTEST_SKIP() << "this build has no page";
  const CharacterFile a = tubeFile();
  const std::string nasty = "</script><script>alert(1)</script><!--";
  const auto page = viewerPage({{&a, nasty, nullptr}});
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
  const auto page = viewerPage({{&file, "", &*bound}});
  ASSERT_TRUE(page);
  const auto field = payloadOf(*page)["characters"][0]["field"];
  const std::size_t joints = field["joints"].size(), sites = joints * field["siteCount"].get<std::size_t>();
  EXPECT_GT(joints, 0U);
  EXPECT_EQ(field["centres"].size(), 3 * sites);
  EXPECT_EQ(field["shapes"].size(), 9 * sites);
  EXPECT_EQ(field["offsets"].size(), sites);
  EXPECT_EQ(field["falloffs"].size(), joints);
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
