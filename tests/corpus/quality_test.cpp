// The regression gate: no character may move clearly farther from its artist than the checked-in table says.
//
// To change the table on purpose, run the test with SKINCELLS_UPDATE_QUALITY=1, look at the difference, and say in the
// commit what made it better or worse.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "corpus/binding.h"
#include "corpus/markdown_table.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

struct Distances {
  double random = 0, clip = 0, stretch = 0; // clip: 0 where the file has none
};
using Table = std::map<std::string, Distances>; // by character

const fs::path kPage = fs::path(SKINCELLS_SOURCE_DIR) / "tests" / "corpus" / "quality.md";

// Compilers round differently and the optimization amplifies that, so small differences are allowed.
constexpr double kWorseMedian = 1.03, kWorseCharacter = 1.12;
constexpr double kRounding = 0.01; // of the table's numbers

Table measure(const std::string& joints) {
  const TemporaryFolder folder;
  Table table;
  for (const TableRow& row : tableRows(sharedFolder() / "peers" / "README.md", "Per character, deform joints"))
    for (const PoseSetComparison& set : compared(row.at("character"), joints, BindMethod::SkinCells, folder).sets) {
      Distances& f = table[row.at("character")];
      (set.label == "random" ? f.random : f.clip) = set.error.rms;
      if (set.label == "random") f.stretch = set.shape.stretch_rms;
    }
  return table;
}

Table readPage(const std::string& joints) {
  Table table;
  for (const TableRow& row : tableRows(kPage, joints))
    table[row.at("character")] = {numbersIn(row.at("random")).at(0), numbersIn(row.at("clip")).at(0),
                                  numbersIn(row.at("stretch")).at(0)};
  return table;
}

std::string printed(const std::string& joints, const Table& table) {
  std::string text = "\n## " + joints + "\n\n| character | random | clip | stretch |\n|---|--:|--:|--:|\n";
  for (const auto& [name, f] : table) {
    char line[200];
    std::snprintf(line, sizeof line, "| %s | %.3f | %.3f | %.3f |\n", name.c_str(), f.random, f.clip, f.stretch);
    text += line;
  }
  return text;
}

// NaN if there are no values: every comparison with it fails.
double median(const Table& table, double Distances::*column) {
  std::vector<double> values;
  for (const auto& [name, f] : table)
    if (f.*column > 0) values.push_back(f.*column);
  std::ranges::sort(values);
  const std::size_t n = values.size();
  if (n == 0) return std::numeric_limits<double>::quiet_NaN();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

void expectNoWorse(const std::string& joints, const Table& before, const Table& now) {
  const std::pair<const char*, double Distances::*> columns[] = {
      {"random", &Distances::random}, {"clip", &Distances::clip}, {"stretch", &Distances::stretch}};
  EXPECT_EQ(before.size(), now.size()) << joints;
  for (const auto& [label, column] : columns) {
    EXPECT_LE(median(now, column), kWorseMedian * median(before, column)) << joints << ", median of " << label;
    for (const auto& [name, f] : before) {
      ASSERT_TRUE(now.contains(name)) << name;
      EXPECT_LE(now.at(name).*column, kWorseCharacter * (f.*column) + kRounding)
          << joints << ", " << name << ", " << label;
    }
  }
}

// What the project promises, whatever the table says.
void expectPromises(const Table& now, const std::string& joints) {
  EXPECT_LE(median(now, &Distances::random), joints == "weighted" ? 0.76 : 0.80) << joints;
  EXPECT_LE(median(now, &Distances::clip), joints == "weighted" ? 0.55 : 0.65) << joints;
  EXPECT_LE(median(now, &Distances::stretch), 0.105) << joints;
}

TEST(Quality, StaysAsCloseToTheArtistsAsTheTable) {
  SKINCELLS_NEEDS_SHARED();
  const bool update = std::getenv("SKINCELLS_UPDATE_QUALITY") != nullptr;
  std::string page = "# Skin cells: distance to the artists' weights\n\n"
                     "RMS distance in % of the diagonal over the random poses and the clips of the shared pose files "
                     "(0.000: no clip), and\nRMS stretch in random poses. Written and checked by `quality_test.cpp`.\n";
  for (const char* joints : {"weighted", "auto"}) {
    const Table now = measure(joints);
    page += printed(joints, now);
    if (!update) expectNoWorse(joints, readPage(joints), now);
    expectPromises(now, joints);
  }
  if (update) writeText(kPage, page);
}

} // namespace
} // namespace skincells::test
