#include <gtest/gtest.h>

#include "skincells/threads.h"
#include "viz/render/cell_shape.h"
#include "viz/render/picture/color.h"
#include "viz/render/scenes.h"

namespace skincells {
namespace {

// The tube with each vertex on the nearest joints of its height.
Character boundTube() {
  Character c = test::tubeCharacter(4);
  c.weights = SparseWeights(c.mesh.positions.size(), 2);
  for (std::size_t v = 0; v < c.mesh.positions.size(); ++v) {
    const auto j = static_cast<std::uint16_t>(std::min(3.0f, c.mesh.positions[v].y));
    c.weights.jointRow(v)[0] = j;
    c.weights.weightRow(v)[0] = 1;
  }
  return c;
}

std::vector<LabeledPose> bentPoses(const Character& c) {
  std::vector<Affine> turns(c.skeleton.joints.size());
  turns[2] = Affine::rotation({0, 0, 1}, 1.2);
  return {{"bind", bindPose(c.skeleton)}, {"bent", poseFromTurns(c.skeleton, turns)}};
}

CharacterSheetOptions smallCells() {
  CharacterSheetOptions options;
  options.render.width = 60, options.render.height = 80;
  return options;
}

Image cut(const Image& image, int left, int top, int width, int height) {
  Image out(width, height);
  for (int y = 0; y < height; ++y) std::copy_n(image.pixel(left, top + y), width * 4, out.pixel(0, y));
  return out;
}

TEST(ContactSheet, HasRoomForEveryCell) {
  const std::vector<SheetCell> cells(5, SheetCell{Image(30, 20), ""});
  SheetOptions options;
  options.text_size = 10;
  const Image square = contactSheet(cells, options); // 3 columns, 2 rows
  EXPECT_EQ(square.width, 10 + 3 * 40);
  EXPECT_EQ(square.height, 10 + 2 * 30);
  options.columns = 5;
  options.title = "five";
  const Image row = contactSheet(cells, options);
  EXPECT_EQ(row.width, 10 + 5 * 40);
  EXPECT_EQ(row.height, 32 + 10 + 30);
  EXPECT_TRUE(contactSheet({}, options).empty());
}

TEST(ContactSheet, PlacesPicturesAndCaptions) {
  Image red(30, 20);
  for (std::size_t i = 0; i < red.rgba.size(); ++i) red.rgba[i] = i % 4 == 0 || i % 4 == 3 ? 255 : 0;
  const std::vector<SheetCell> cells{{red, "M"}, {Image(30, 20), "a caption much wider than its cell"}};
  SheetOptions options;
  options.columns = 2;
  const Image sheet = contactSheet(cells, options);
  EXPECT_EQ(sheet.pixel(12, 12)[1], 0);
  EXPECT_EQ(sheet.pixel(10, 12)[1], 255);
  EXPECT_EQ(sheet.pixel(53, 12)[1], 255); // a transparent cell shows the sheet
  int dark = 0;
  for (int y = 32; y < sheet.height; ++y)
    for (int x = 0; x < 41; ++x) dark += sheet.pixel(x, y)[0] < 128 ? 1 : 0;
  EXPECT_GT(dark, 5);
  for (int y = 32; y < sheet.height; ++y) EXPECT_GT(sheet.pixel(sheet.width - 5, y)[0], 250);
}

TEST(CharacterSheet, OnePoseIsDrawnAsRenderMeshWould) {
  const Character c = boundTube();
  const LabeledSkin skin{"", &c.weights};
  const std::vector<LabeledPose> poses{{"", bindPose(c.skeleton)}};
  CharacterSheetOptions options = smallCells();
  options.sheet.text_size = 10;
  const Image sheet = characterSheet(c, {&skin, 1}, poses, {}, options);
  const Camera camera = frameCamera(c.mesh.positions, View::ThreeQuarter, {}, 0.75);
  const Image alone = renderMesh(c.mesh, c.mesh.positions, {}, camera, options.render);
  EXPECT_EQ(cut(sheet, 10, 10, 60, 80).rgba, alone.rgba);
}

TEST(CharacterSheet, SkinsShareTheCameraAndPosesFillTheirFrames) {
  const Character c = boundTube();
  const std::vector<LabeledSkin> skins{{"a", &c.weights}, {"b", &c.weights}};
  CharacterSheetOptions options = smallCells();
  options.views = {View::Front};
  options.sheet.text_size = 10;
  const Image sheet = characterSheet(c, skins, bentPoses(c), {}, options);
  EXPECT_EQ(sheet.width, 10 + 2 * 70);
  EXPECT_EQ(cut(sheet, 10, 10, 60, 80).rgba, cut(sheet, 80, 10, 60, 80).rgba); // same skin, same pose
  const int second_row = 10 + 80 + 23 + 10;
  EXPECT_NE(cut(sheet, 10, 10, 60, 80).rgba, cut(sheet, 10, second_row, 60, 80).rgba);
  // Every pose is in the middle, and the largest one fills its frame.
  options.render.ground_shadow = options.render.ambient_occlusion = false;
  options.render.transparent = true;
  double fill = 0;
  for (const SheetCell& cell : characterCells(c, skins, bentPoses(c), {}, options)) {
    int lo[2] = {1000, 1000}, hi[2] = {-1, -1};
    for (int y = 0; y < cell.image.height; ++y)
      for (int x = 0; x < cell.image.width; ++x)
        if (cell.image.pixel(x, y)[3] > 0)
          lo[0] = std::min(lo[0], x), lo[1] = std::min(lo[1], y), hi[0] = std::max(hi[0], x),
          hi[1] = std::max(hi[1], y);
    EXPECT_NEAR(lo[0] + hi[0], cell.image.width - 1, 3);
    EXPECT_NEAR(lo[1] + hi[1], cell.image.height - 1, 3);
    fill = std::max({fill, (hi[0] - lo[0] + 1.0) / cell.image.width, (hi[1] - lo[1] + 1.0) / cell.image.height});
  }
  EXPECT_GT(fill, 0.85);
}

TEST(CharacterSheet, TheNumberInACaptionIsThatOfTheSkinShown) {
  const Character c = boundTube();
  SparseWeights stiff = c.weights;
  std::ranges::fill(stiff.joints, std::uint16_t{0});
  const std::vector<LabeledSkin> skins{{"a", &c.weights}, {"b", &stiff}};
  std::vector<LabeledPose> poses = bentPoses(c);
  poses[1].number = CaptionNumber::Stretch;
  auto cells = characterCells(c, skins, poses, {}, smallCells());
  ASSERT_EQ(cells.size(), 4U);
  EXPECT_EQ(cells[0].caption, "a, bind");
  EXPECT_NE(cells[2].caption, "a, bent, stretch 0.000");
  EXPECT_EQ(cells[3].caption, "b, bent, stretch 0.000");
  poses[1].number = CaptionNumber::Distance;
  cells = characterCells(c, skins, poses, {}, smallCells());
  EXPECT_EQ(cells[2].caption, "a, bent");
  EXPECT_TRUE(cells[3].caption.ends_with(" % apart")) << cells[3].caption;
}

TEST(CharacterSheet, SameBytesForAnyNumberOfThreads) {
  const Character c = boundTube();
  const LabeledSkin skin{"", &c.weights};
  std::vector<std::vector<std::uint8_t>> files;
  for (int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    CharacterSheetOptions options = smallCells();
    options.mode = ColorMode::Stretch;
    files.push_back(encodePng(characterSheet(c, {&skin, 1}, bentPoses(c), {}, options)));
  }
  EXPECT_EQ(files[0], files[1]);
}

TEST(CharacterSheet, EmptyWithoutPoses) {
  const Character c = boundTube();
  const LabeledSkin skin{"", &c.weights};
  EXPECT_TRUE(characterSheet(c, {&skin, 1}, {}, {}).empty());
}

TEST(VertexColors, WeightsShowWhereAJointPulls) {
  const Character c = boundTube();
  const std::vector<Rgb> colors = vertexColors(c, c.weights, ColorMode::Weights, 2, c.mesh.positions);
  for (std::size_t v = 0; v < colors.size(); ++v) {
    const bool pulled = c.weights.jointRow(v)[0] == 2;
    EXPECT_EQ(colors[v], pulled ? sequentialColor(1) : render::kUnaffected);
  }
}

TEST(VertexColors, WeightsChangeThePixelsOfTheirRegionOnly) {
  const Character c = boundTube();
  const Camera camera = frameCamera(c.mesh.positions, View::Front, {});
  const auto draw = [&](int joint) {
    const std::vector<Rgb> colors = vertexColors(c, c.weights, ColorMode::Weights, joint, c.mesh.positions);
    return renderMesh(c.mesh, c.mesh.positions, {{}, colors}, camera, test::bareOptions(96, 96));
  };
  const Image lowest = draw(0), top = draw(3);
  EXPECT_GT(lowest.pixel(48, 84)[0], lowest.pixel(48, 84)[2] + 80); // yellow at the bottom
  EXPECT_NEAR(lowest.pixel(48, 12)[0], lowest.pixel(48, 12)[2], 25);
  EXPECT_GT(top.pixel(48, 12)[0], top.pixel(48, 12)[2] + 80);
  EXPECT_EQ(cut(lowest, 0, 30, 96, 30).rgba, cut(top, 0, 30, 96, 30).rgba); // neither joint's region
}

TEST(ContentAspect, FollowsTheCharacterAndTheViews) {
  Character c = boundTube(); // along y
  const LabeledSkin skin{"", &c.weights};
  const std::vector<LabeledPose> bind{{"bind pose", bindPose(c.skeleton)}};
  const auto aspect = [&](std::initializer_list<View> views) {
    return render::contentAspect(c, {&skin, 1}, bind, {}, std::vector<View>(views));
  };
  EXPECT_EQ(aspect({View::Front}), 0.5); // no narrower
  EXPECT_GT(aspect({View::Top}), 0.9);
  EXPECT_EQ(render::contentAspect(c, {&skin, 1}, {}, {}, std::vector{View::Front}), 1);
}

TEST(VertexColors, ModesShowWhatTheySay) {
  Character c = boundTube();
  c.weights.jointRow(0)[1] = 3;
  c.weights.weightRow(0)[0] = 0.6f, c.weights.weightRow(0)[1] = 0.4f;
  c.weights.weightRow(1)[0] = 0; // unweighted
  const std::vector<Rgb> palette = jointColors(c.skeleton);
  const auto colors = [&](ColorMode mode) { return vertexColors(c, c.weights, mode, 0, c.mesh.positions); };
  EXPECT_EQ(colors(ColorMode::Dominant)[0], palette[0]);
  EXPECT_NEAR(colors(ColorMode::Joints)[0].r, 0.6f * palette[0].r + 0.4f * palette[3].r, 1e-5);
  EXPECT_EQ(colors(ColorMode::InfluenceCount)[0], sequentialColor(1.0 / 7));
  EXPECT_EQ(vertexColors(c, c.weights, ColorMode::InfluenceCount, 0, {}, 4)[0], sequentialColor(1.0 / 3));
  EXPECT_EQ(colors(ColorMode::InfluenceCount)[2], sequentialColor(0));
  EXPECT_EQ(colors(ColorMode::InfluenceCount)[1], colors(ColorMode::Dominant)[1]);
  EXPECT_EQ(colors(ColorMode::Stretch)[5], divergingColor(0));
  EXPECT_TRUE(colors(ColorMode::Plain).empty());
}

TEST(VertexColors, StretchIsOrangeWhereLongAndBlueWhereShort) {
  const Character c = boundTube();
  for (float scale : {2.0f, 0.5f}) {
    std::vector<Vec3f> posed = c.mesh.positions;
    for (Vec3f& p : posed) p *= scale;
    const std::vector<Rgb> colors = vertexColors(c, c.weights, ColorMode::Stretch, 0, posed);
    for (const Rgb& color : colors) EXPECT_NEAR(color.r, divergingColor(scale > 1 ? 1 : -1).r, 1e-3);
  }
}

} // namespace
} // namespace skincells
