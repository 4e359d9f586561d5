#include <gtest/gtest.h>

#include <limits>

#include "skincells/threads.h"
#include "viz/render/scenes.h"

namespace skincells {
namespace {

using test::allOf;
using test::bareOptions;
using test::drawnPixels;
using test::unitCamera;

TEST(RenderMesh, SilhouetteOfASphereHasTheRightArea) {
  const Mesh ball = test::sphere(1, 120, 160);
  RenderOptions options = bareOptions(256, 256);
  options.supersampling = 3;
  const Image image = renderMesh(ball, ball.positions, {}, unitCamera(), options);
  double area = 0;
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) area += image.rgba[i] / 255.0;
  // A sphere at distance d looks like a disc with the tangent r / sqrt(d^2 - r^2); 64 pixels are tan 0.1.
  const double radius = 640 / std::sqrt(99.0);
  EXPECT_NEAR(area / (M_PI * radius * radius), 1, 0.01);
}

TEST(RenderMesh, SameBytesForAnyNumberOfThreads) {
  const Mesh ball = test::sphere(1, 40, 60);
  const std::vector<Rgb> colors = allOf(ball.positions.size(), {0.2f, 0.5f, 0.8f});
  RenderOptions options;
  options.width = 200, options.height = 140;
  std::vector<Image> images;
  for (int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    images.push_back(renderMesh(ball, ball.positions, {{}, colors}, unitCamera(), options));
  }
  EXPECT_EQ(images[0].rgba, images[1].rgba);
  EXPECT_EQ(images[0].rgba, images[2].rgba);
}

TEST(RenderMesh, NothingButBackgroundForAnEmptyMesh) {
  RenderOptions options;
  options.width = 8, options.height = 6;
  options.background = rgbFromSrgb(10, 20, 30);
  const Image image = renderMesh({}, {}, {}, Camera{}, options);
  ASSERT_EQ(image.rgba.size(), 8U * 6 * 4);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    EXPECT_NEAR(image.rgba[i], 10, 1);
    EXPECT_NEAR(image.rgba[i + 2], 30, 1);
    EXPECT_EQ(image.rgba[i + 3], 255);
  }
}

TEST(RenderMesh, SurvivesBadPositionsAndTriangles) {
  Mesh mesh = test::tube(2, 0.5, 9, 8);
  mesh.triangles.push_back({0, 0, 0});
  mesh.triangles.push_back({0, 1, 1});
  std::vector<Vec3f> posed = mesh.positions;
  posed[3].x = std::numeric_limits<float>::quiet_NaN();
  posed[20].y = std::numeric_limits<float>::infinity();
  RenderOptions options;
  options.width = options.height = 64;
  const Camera camera = frameCamera(posed, View::ThreeQuarter, {});
  EXPECT_TRUE(isFinite(camera.eye));
  const Image image = renderMesh(mesh, posed, {}, camera, options);
  options.transparent = true;
  EXPECT_GT(drawnPixels(renderMesh(mesh, posed, {}, camera, options)), 200);
  EXPECT_NE(image.pixel(32, 32)[0], image.pixel(0, 0)[0]);
}

TEST(RenderMesh, OnePointAndFlatMeshesAreFine) {
  Mesh mesh;
  mesh.positions = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  mesh.triangles = {{0, 1, 2}};
  const Camera camera = frameCamera(mesh.positions, View::Front, {});
  EXPECT_TRUE(isFinite(camera.eye));
  EXPECT_EQ(drawnPixels(renderMesh(mesh, mesh.positions, {}, camera, bareOptions(16, 16))), 0);
  const Mesh flat = test::grid(3, 3);
  RenderOptions options = bareOptions(32, 32);
  options.ground_shadow = options.ambient_occlusion = true;
  EXPECT_GT(drawnPixels(renderMesh(flat, flat.positions, {}, frameCamera(flat.positions, View::Top, {}), options)),
            300);
}

TEST(RenderMesh, TakesColorsFromTrianglesOrVertices) {
  Mesh mesh;
  mesh.positions = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  const std::vector<Rgb> by_triangle{{0.8f, 0, 0}, {0, 0, 0.8f}};
  const Image flat = renderMesh(mesh, mesh.positions, {by_triangle, {}}, unitCamera(), bareOptions(16, 16));
  EXPECT_GT(flat.pixel(12, 12)[0], flat.pixel(12, 12)[2] + 80); // lower right: red
  EXPECT_GT(flat.pixel(3, 3)[2], flat.pixel(3, 3)[0] + 80);     // upper left: blue
  const std::vector<Rgb> by_vertex{{0.8f, 0, 0}, {0, 0.8f, 0}, {0, 0.8f, 0}, {0.8f, 0, 0}};
  const Image smooth = renderMesh(mesh, mesh.positions, {{}, by_vertex}, unitCamera(), bareOptions(16, 16));
  EXPECT_GT(smooth.pixel(1, 8)[0], smooth.pixel(1, 8)[1] + 80);
  EXPECT_GT(smooth.pixel(14, 8)[1], smooth.pixel(14, 8)[0] + 80);
  EXPECT_NEAR(smooth.pixel(8, 8)[0], smooth.pixel(8, 8)[1], 20);
}

TEST(RenderMesh, SupersamplingSoftensEdges) {
  const Mesh ball = test::sphere(1, 30, 40);
  RenderOptions options = bareOptions(32, 32);
  const auto partial = [&](int samples) {
    options.supersampling = samples;
    const Image image = renderMesh(ball, ball.positions, {}, unitCamera(), options);
    int count = 0;
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) count += image.rgba[i] > 0 && image.rgba[i] < 255 ? 1 : 0;
    return count;
  };
  EXPECT_EQ(partial(1), 0);
  EXPECT_GT(partial(2), 20);
  EXPECT_GT(partial(4), partial(2));
}

TEST(RenderMesh, GroundShadowLiesUnderTheFigureOnly) {
  const Mesh tube = test::tube(2, 0.4, 17, 16);
  RenderOptions options;
  options.width = options.height = 128;
  const Camera camera = frameCamera(tube.positions, View::ThreeQuarter, {}, 1, 0.2);
  const Image with = renderMesh(tube, tube.positions, {}, camera, options);
  options.ground_shadow = false;
  const Image without = renderMesh(tube, tube.positions, {}, camera, options);
  long upper = 0, lower = 0;
  for (int y = 0; y < 128; ++y)
    for (int x = 0; x < 128; ++x) (y < 64 ? upper : lower) += without.pixel(x, y)[1] - with.pixel(x, y)[1];
  EXPECT_EQ(upper, 0);
  EXPECT_GT(lower, 2000);
}

TEST(RenderMesh, OcclusionDarkensAFold) {
  Mesh mesh; // two walls that meet in a deep corner away from the eye
  mesh.positions = {{-1.5f, -1.5f, 0}, {0, -1.5f, -1.5f}, {0, 1.5f, -1.5f},
                    {-1.5f, 1.5f, 0},  {1.5f, -1.5f, 0},  {1.5f, 1.5f, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}};
  RenderOptions options = bareOptions(128, 128);
  const Image open = renderMesh(mesh, mesh.positions, {}, unitCamera(), options);
  options.ambient_occlusion = true;
  const Image shaded = renderMesh(mesh, mesh.positions, {}, unitCamera(), options);
  EXPECT_LT(shaded.pixel(62, 64)[1], open.pixel(62, 64)[1] - 10);
  EXPECT_NEAR(shaded.pixel(30, 64)[1], open.pixel(30, 64)[1], 3);
}

TEST(RenderMesh, CreasesAreSharpAndSeamsAreNot) {
  const Mesh tube = test::tube(2, 0.6, 9, 24);
  const Camera camera = frameCamera(tube.positions, View::Front, {});
  const Image welded = renderMesh(tube, tube.positions, {}, camera, bareOptions(64, 64));
  const Mesh loose = test::unwelded(tube);
  EXPECT_EQ(renderMesh(loose, loose.positions, {}, camera, bareOptions(64, 64)).rgba, welded.rgba);
  RenderOptions faceted = bareOptions(64, 64);
  faceted.crease_angle = 0;
  EXPECT_NE(renderMesh(tube, tube.positions, {}, camera, faceted).rgba, welded.rgba);
}

TEST(RenderOptions, RangesAreChecked) {
  RenderOptions options;
  EXPECT_TRUE(options::validate(renderOptionTable(), options));
  options.supersampling = 5;
  EXPECT_FALSE(options::validate(renderOptionTable(), options));
}

} // namespace
} // namespace skincells
