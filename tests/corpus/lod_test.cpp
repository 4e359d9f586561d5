// Levels of detail of shared characters: the posed surface of a level is nearer to that of level 0 with our weights
// than with weights copied from the closest point, on the same geometry, in poses that had no part in making them.
//
// SKINCELLS_UPDATE_LOD=1 writes the table (lod.md), which docs/lod.md shows.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <gtest/gtest.h>

#include "corpus/binding.h"
#include "skincells/jobs/lod_job.h"

namespace fs = std::filesystem;

namespace skincells::test {
namespace {

constexpr std::size_t kCharacters = 8;
constexpr std::size_t kLeastTriangles = 500, kMostTriangles = 12000; // a tenth is still something; in seconds
constexpr int kPoses = 8;                                            // random ones, and as many of clips
constexpr double kWorst = 1.02;                                      // of any character's levels

// Some of the shared characters, evenly spread over their sizes.
std::vector<fs::path> chosenCharacters() {
  std::vector<std::pair<std::size_t, fs::path>> sized;
  for (const fs::path& path : sharedCharacters(false)) {
    const std::size_t triangles = open(path).character().mesh.triangles.size();
    if (triangles >= kLeastTriangles && triangles <= kMostTriangles) sized.emplace_back(triangles, path);
  }
  std::ranges::sort(sized);
  std::vector<fs::path> out;
  for (std::size_t i = 0; i < std::min(kCharacters, sized.size()); ++i)
    out.push_back(sized[(2 * i + 1) * sized.size() / (2 * std::min(kCharacters, sized.size()))].second);
  return out;
}

std::vector<LodLevel> levelsOf(const CharacterFile& file, const std::string& influences,
                               const TemporaryFolder& folder) {
  LodJob job;
  job.output = folder.path("out.glb").string();
  job.lod.influences = influences;
  job.lod.random_poses = job.lod.clip_poses = kPoses;
  job.bind.quality = BindQuality::Draft;
  job.write.force = true;
  const auto result = writeLods(file, job);
  if (!result) throw std::runtime_error(result.error().text());
  return result->levels;
}

std::string text(const char* format, double a, double b = 0) {
  char out[60];
  std::snprintf(out, sizeof out, format, a, b);
  return out;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

class LodTable {
public:
  explicit LodTable(std::string influences) : influences_(std::move(influences)) {}

  void add(const fs::path& path, const TemporaryFolder& folder) {
    const CharacterFile file = open(path);
    const std::string stem = path.stem().string();
    const std::string name = stem == "scene" ? path.parent_path().filename().string() : stem;
    const auto levels = levelsOf(file, influences_, folder);
    EXPECT_NEAR(levels[0].posed.rms_percent, 0, 1e-9) << name;
    rows_ += "| " + name + " |";
    ratios_.resize(levels.size() - 1);
    for (std::size_t l = 1; l < levels.size(); ++l) {
      const double ours = levels[l].posed.rms_percent, closest = levels[l].closest_point.rms_percent;
      EXPECT_LE(ours, kWorst * closest) << name << ", level " << l;
      ratios_[l - 1].push_back(ours / closest);
      rows_ += text(" %.3f |", levels[l].geometry.rms_percent) + text(" %.3f / %.3f |", ours, closest);
    }
    rows_ += "\n";
  }

  void expectLowerInTheMedian() const {
    for (std::size_t l = 0; l < ratios_.size(); ++l)
      EXPECT_LT(median(ratios_[l]), 1) << influences_ << ", level " << l + 1;
  }

  std::string printed() const {
    std::string out = "\n## Influences " + influences_ +
                      "\n\n| character | 0.5: geometry | posed | 0.25: geometry | posed | 0.1: geometry | posed |\n"
                      "|---|--:|--:|--:|--:|--:|--:|\n" +
                      rows_ + "| median of ours / closest point |";
    for (const auto& ratios : ratios_) out += " | " + text("%.3f |", median(ratios));
    return out + "\n";
  }

private:
  std::string influences_, rows_;
  std::vector<std::vector<double>> ratios_; // by level and character
};

TEST(LodTable, OursIsNearerThanClosestPoint) {
  SKINCELLS_NEEDS_SHARED();
  const TemporaryFolder folder;
  const auto characters = chosenCharacters();
  ASSERT_GE(characters.size(), 3U);
  std::string page = "# Levels of detail against closest-point copies\n\n"
                     "Distance to the posed surface of level 0, ours / closest point, in % of the diagonal. Geometry: "
                     "the distance in bind\npose, which does not depend on weights. Written and checked by "
                     "`lod_test.cpp`.\n";
  for (const char* influences : {"4,4,2,1", "4,4,4,4"}) {
    LodTable table(influences);
    for (const fs::path& path : characters) table.add(path, folder);
    table.expectLowerInTheMedian();
    page += table.printed();
  }
  if (std::getenv("SKINCELLS_UPDATE_LOD") != nullptr)
    writeText(fs::path(SKINCELLS_SOURCE_DIR) / "tests" / "corpus" / "lod.md", page);
}

} // namespace
} // namespace skincells::test
