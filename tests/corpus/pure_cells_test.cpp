// Skin cells as the paper has them: no guess from the surface and no prior, only cells on bones and pose losses.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "corpus/binding.h"
#include "corpus/markdown_table.h"
#include "studies/methods.h"

namespace skincells::test {
namespace {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return n == 0 ? NAN : (values[(n - 1) / 2] + values[n / 2]) / 2;
}

TEST(PureCells, AreNearTheArtistsOnToldJoints) {
  SKINCELLS_NEEDS_SHARED();
  const TemporaryFolder folder;
  std::vector<double> random, clip;
  for (const TableRow& row : tableRows(sharedFolder() / "peers" / "README.md", "Per character, deform joints")) {
    const std::string& name = row.at("character");
    const CharacterFile file = open(characterNamed(name));
    const auto done = studies::runVariant(file.character(), {.variant = studies::Variant::Bones, .joints = "weighted"});
    ASSERT_TRUE(done) << name << ": " << done.error().text();
    for (const PoseSetComparison& set : compared(name, file, done->weights, folder).sets)
      (set.label == "random" ? random : clip).push_back(set.error.rms);
  }
  EXPECT_EQ(random.size(), 24U);
  EXPECT_LE(median(random), 0.95);
  EXPECT_LE(median(clip), 0.70);
}

} // namespace
} // namespace skincells::test
