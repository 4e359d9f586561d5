#include <gtest/gtest.h>

#include <png.h>

#include "skincells/viz/render.h"
#include "support/shapes.h"
#include "viz/render/picture/color.h"

namespace skincells {
namespace {

Image decodePng(const std::vector<std::uint8_t>& bytes, bool& has_alpha) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()), 0);
  has_alpha = (png.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  png.format = PNG_FORMAT_RGBA;
  Image image(static_cast<int>(png.width), static_cast<int>(png.height));
  EXPECT_NE(png_image_finish_read(&png, nullptr, image.rgba.data(), 0, nullptr), 0);
  return image;
}

Image pattern(int width, int height, bool opaque) {
  Image image(width, height);
  for (std::size_t i = 0; i < image.rgba.size(); ++i)
    image.rgba[i] = opaque && i % 4 == 3 ? std::uint8_t{255} : static_cast<std::uint8_t>((i * 37 + i / 97) % 256);
  return image;
}

TEST(EncodePng, RoundTrips) {
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 7}, {64, 48}})
    for (bool opaque : {true, false}) {
      const Image image = pattern(width, height, opaque);
      bool has_alpha = false;
      const Image back = decodePng(encodePng(image), has_alpha);
      EXPECT_EQ(back.width, width);
      EXPECT_EQ(back.height, height);
      EXPECT_EQ(back.rgba, image.rgba);
      EXPECT_EQ(has_alpha, !opaque);
    }
  EXPECT_TRUE(encodePng({}).empty());
}

// Ink of a text on white, one number a column and row.
double ink(const Image& image, int left, int top, int right, int bottom) {
  double sum = 0;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) sum += (255 - image.pixel(x, y)[0]) / 255.0;
  return sum;
}

Image white(int width, int height) {
  Image image(width, height);
  std::fill(image.rgba.begin(), image.rgba.end(), std::uint8_t{255});
  return image;
}

TEST(DrawText, PutsStrokesWhereTheyBelong) {
  Image image = white(20, 20);
  drawText(image, "L", 2, 2, 14, {}); // stem at x = 4 .. 6, foot at y = 14 .. 16
  EXPECT_GT(ink(image, 3, 2, 7, 16), 22);
  EXPECT_GT(ink(image, 3, 14, 13, 16), 12);
  EXPECT_LT(ink(image, 7, 2, 13, 13), 0.5);
  EXPECT_EQ(ink(image, 15, 0, 20, 20), 0);
  EXPECT_EQ(ink(image, 0, 0, 20, 2), 0);
  EXPECT_EQ(ink(image, 0, 16, 20, 20), 0);
}

TEST(DrawText, CutsOffAtTheBorders) {
  Image image = white(10, 10);
  const Image before = image;
  drawText(image, "Far outside", 50, 50, 14, {});
  drawText(image, "Far outside", -500, -50, 14, {});
  EXPECT_EQ(image.rgba, before.rgba);
  drawText(image, "MMM", -4, -4, 14, {});
  EXPECT_NE(image.rgba, before.rgba);
}

TEST(DrawText, EveryPrintableCharacterHasItsOwnPicture) {
  std::vector<Image> seen;
  for (char c = ' '; c <= '~'; ++c) {
    Image image = white(24, 20);
    drawText(image, std::string(1, c), 1, 1, 14, {});
    for (const Image& other : seen) EXPECT_NE(image.rgba, other.rgba) << c;
    EXPECT_EQ(ink(image, 0, 0, 24, 20) > 1, c != ' ') << c;
    seen.push_back(image);
  }
}

TEST(DrawText, LettersHaveTheirOwnWidthAndOthersAreQuestionMarks) {
  EXPECT_EQ(textWidth("", 7), 0);
  EXPECT_LT(textWidth("i", 7), textWidth("m", 7));
  EXPECT_DOUBLE_EQ(textWidth("ab", 14), 2 * textWidth("ab", 7));
  EXPECT_EQ(textWidth("\u00e9", 7), textWidth("e", 7));
  EXPECT_EQ(textWidth("\u6f22", 7), textWidth("?", 7));
}

TEST(Color, SrgbRoundTrips) {
  for (int i = 0; i < 256; ++i) EXPECT_EQ(render::toSrgbByte(render::fromSrgbByte(static_cast<std::uint8_t>(i))), i);
  EXPECT_EQ(render::toSrgbByte(-1), 0);
  EXPECT_EQ(render::toSrgbByte(7), 255);
  EXPECT_EQ(render::toSrgbByte(NAN), 0);
}

TEST(Color, SequentialScaleGrowsLighterEvenly) {
  double last = render::toLab(sequentialColor(0)).l;
  for (int i = 1; i <= 20; ++i) {
    const double l = render::toLab(sequentialColor(i / 20.0)).l;
    EXPECT_GT(l, last + 0.02);
    last = l;
  }
  EXPECT_EQ(sequentialColor(-3), sequentialColor(0));
  EXPECT_EQ(sequentialColor(3), sequentialColor(1));
}

TEST(Color, DivergingScaleIsLightestInTheMiddle) {
  const auto lightness = [](double t) { return render::toLab(divergingColor(t)).l; };
  for (double t : {-1.0, -0.5, 0.5, 1.0}) EXPECT_LT(lightness(t), lightness(0));
  EXPECT_GT(divergingColor(-1).b, divergingColor(-1).r);
  EXPECT_GT(divergingColor(1).r, divergingColor(1).b);
}

double difference(const Rgb& x, const Rgb& y) {
  const render::Lab a = render::toLab(x), b = render::toLab(y);
  return std::sqrt((a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) + (a.b - b.b) * (a.b - b.b));
}

TEST(Color, JointsDifferFromParentsAndSiblings) {
  Skeleton skeleton = test::chain(40, 4);
  for (int j = 0; j < 60; ++j) { // five fingers on some
    Joint joint;
    joint.parent = j / 5;
    skeleton.joints.push_back(joint);
  }
  const std::vector<Rgb> colors = jointColors(skeleton);
  ASSERT_EQ(colors.size(), 100U);
  for (std::size_t j = 0; j < colors.size(); ++j) {
    const int parent = skeleton.joints[j].parent;
    if (parent != kNoParent) {
      EXPECT_GT(difference(colors[j], colors[static_cast<std::size_t>(parent)]), 0.1) << j;
    }
    for (std::size_t i = 0; i < j; ++i) {
      if (skeleton.joints[i].parent != parent) continue;
      EXPECT_GT(difference(colors[j], colors[i]), 0.06) << i << " " << j;
    }
  }
  EXPECT_TRUE(jointColors({}).empty());
}

} // namespace
} // namespace skincells
