// Contact sheets of example characters against stored pictures (tests/viz/render/golden).
#include <cstdlib>
#include <memory>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "skincells/bind.h"
#include "skincells/viz/render_job.h"
#include "support/files.h"
#include "support/golden_image.h"
#include "support/program.h"

namespace skincells {
namespace {

// The example characters with their generated weights, made once for the suite.
class GoldenImage : public testing::Test {
protected:
  static void SetUpTestSuite() {
    folder = std::make_unique<test::TemporaryFolder>();
    for (const std::string name : {"biped_apose", "robot"}) {
      const auto made =
          test::runProgram({SKINCELLS_EXAMPLES_PROGRAM, folder->path("").string(), "--only", name, "--splats", "1"});
      ASSERT_EQ(made.code, 0) << made.err;
    }
  }
  static void TearDownTestSuite() { folder.reset(); }

  static CharacterFile example(const std::string& name) {
    return std::move(*CharacterFile::read(folder->path(name + "_reference.glb").string()));
  }

  static void expectGolden(const RenderSheetOptions& options, const std::string& name,
                           const std::string& character = "biped_apose") {
    RenderSheetOptions small = options;
    small.size = 112;
    const auto sheet = renderSheet(example(character), {}, small);
    ASSERT_TRUE(sheet) << sheet.error().text();
    test::expectGoldenImage(*sheet, name,
                            {test::sourceFolder() / "tests" / "viz" / "render" / "golden", SKINCELLS_ARTIFACTS});
  }

  static std::unique_ptr<test::TemporaryFolder> folder;
};
std::unique_ptr<test::TemporaryFolder> GoldenImage::folder;

TEST_F(GoldenImage, MaterialFromEverySide) {
  expectGolden({.poses = SheetPoses::Bind, .views = "front,three-quarter,side,back,top"}, "material_views");
}

TEST_F(GoldenImage, WeightsInRandomPoses) {
  expectGolden({.poses = SheetPoses::Random,
                .count = 2,
                .views = "front,back",
                .color = ColorMode::Weights,
                .joint = "upper_arm.L",
                .columns = 4},
               "weights_random");
}

TEST_F(GoldenImage, StretchInTheWorstPoses) {
  expectGolden({.poses = SheetPoses::Worst,
                .count = 2,
                .views = "three-quarter,side",
                .color = ColorMode::Stretch,
                .columns = 4},
               "stretch_worst");
}

TEST_F(GoldenImage, StrongestJointsInAClip) {
  expectGolden(
      {.poses = SheetPoses::Clip, .count = 4, .views = "three-quarter", .color = ColorMode::Dominant, .columns = 4},
      "dominant_clip");
}

TEST_F(GoldenImage, JointColorsOfSeparatePlates) {
  expectGolden({.poses = SheetPoses::Overview,
                .count = 1,
                .views = "three-quarter",
                .color = ColorMode::Joints,
                .title = "robot",
                .columns = 3},
               "joints_overview", "robot");
}

TEST_F(GoldenImage, InfluencesAndPlainClay) {
  expectGolden({.poses = SheetPoses::Bind, .views = "front,back", .color = ColorMode::InfluenceCount}, "influences");
  expectGolden({.poses = SheetPoses::Bind, .views = "front,back", .color = ColorMode::Plain}, "plain");
}

TEST_F(GoldenImage, TwoSkinsSideBySide) {
  const CharacterFile file = example("biped_apose");
  BindOptions nearest;
  nearest.method = BindMethod::Proximity;
  const auto bound = bind(file.character(), nearest);
  ASSERT_TRUE(bound);
  const auto glb = file.encodeGlb(bound->weights);
  ASSERT_TRUE(glb);
  const auto other = CharacterFile::readGlb(*glb, "nearest.glb");
  ASSERT_TRUE(other);
  RenderSheetOptions options;
  options.poses = SheetPoses::Overview;
  options.count = 1;
  options.views = "front";
  options.size = 112;
  options.labels = "maker,nearest";
  const auto sheet = renderSheet(file, {&*other}, options);
  ASSERT_TRUE(sheet) << sheet.error().text();
  test::expectGoldenImage(*sheet, "two_skins",
                          {test::sourceFolder() / "tests" / "viz" / "render" / "golden", SKINCELLS_ARTIFACTS});
}

// The comparison itself must be able to fail.
TEST(GoldenComparison, NoticesWhatDiffers) {
  const test::TemporaryFolder folder;
  Image image(8, 8);
  std::fill(image.rgba.begin(), image.rgba.end(), std::uint8_t{255});
  test::writeBytes(folder.path("a.png"), encodePng(image));
  const test::GoldenFolders folders{folder.path(""), folder.path("kept")};
  const bool updating = std::getenv("SKINCELLS_UPDATE_GOLDEN") != nullptr;
  if (updating) GTEST_SKIP() << "the pictures are being replaced";
  test::expectGoldenImage(image, "a", folders);
  EXPECT_FALSE(std::filesystem::exists(folder.path("kept") / "a_difference.png"));
  for (int x = 0; x < 8; ++x) image.pixel(x, 3)[1] = 200;
  testing::TestPartResultArray failures;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    test::expectGoldenImage(image, "a", folders);
  }
  EXPECT_EQ(failures.size(), 2);
  EXPECT_TRUE(std::filesystem::exists(folder.path("kept") / "a_difference.png"));
}

} // namespace
} // namespace skincells
