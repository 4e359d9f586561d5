// Spoiled files give a valid skin or an error: the short form of `make torture`.
#include "studies/torture.h"

#include <gtest/gtest.h>

#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "support/shapes.h"

namespace skincells::studies {
namespace {

TEST(TortureCorpus, GivesValidSkinsOrErrors) {
  const auto clean = CharacterFile::readGlb(sceneToGlb(sceneOf(test::tubeCharacter())), "clean.glb");
  ASSERT_TRUE(clean) << clean.error().text();
  BindOptions options;
  options.quality = BindQuality::Draft;
  options.joints = "all";
  std::vector<Torture> all = singleTortures();
  const std::vector<Torture> combined = combinedTortures();
  EXPECT_GE(all.size() + combined.size(), 300U);
  for (std::size_t i = 0; i < combined.size(); i += 9) all.push_back(combined[i]);
  int bound = 0, refused = 0;
  for (const Torture& torture : all) {
    SCOPED_TRACE(torture.name());
    const auto file = CharacterFile::readGlb(tortured(clean->character(), torture).glb, "tortured.glb");
    const auto result = file ? bind(file->character(), options) : Result<BindResult>(file.error());
    if (!result) {
      EXPECT_FALSE(torture.keepsAnswer()) << result.error().text();
      EXPECT_FALSE(result.error().message.empty());
      ++refused;
      continue;
    }
    ++bound;
    const auto written = file->encodeGlb(result->weights);
    ASSERT_TRUE(written) << written.error().text();
    const auto again = CharacterFile::readGlb(*written, "again.glb");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_TRUE(again->skinDefects().empty());
    const SparseWeights& rows = again->character().weights;
    ASSERT_EQ(rows.vertexCount(), file->character().mesh.positions.size());
    for (std::size_t v = 0; v < rows.vertexCount(); ++v) ASSERT_GT(rows.weightRow(v)[0], 0) << v;
  }
  EXPECT_GT(bound, 60);
  EXPECT_GT(refused, 8);
}

} // namespace
} // namespace skincells::studies
