// Pictures of posed characters, drawn on the CPU: for reports, documentation and looking at quality. The same
// arguments give the same bytes for any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skincells/character.h"
#include "skincells/options.h"

namespace skincells {

// Rows from top to bottom, four bytes a pixel: sRGB-encoded red, green, blue, and alpha (not premultiplied).
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;

  Image() = default;
  Image(int w, int h) : width(w), height(h), rgba(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 4) {}
  bool empty() const { return rgba.empty(); }
  std::uint8_t* pixel(int x, int y) { return rgba.data() + offset(x, y); }
  const std::uint8_t* pixel(int x, int y) const { return rgba.data() + offset(x, y); }

private:
  std::size_t offset(int x, int y) const {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 4;
  }
};

// The image as a PNG file; without an alpha channel where every pixel is opaque. No bytes for an empty image.
std::vector<std::uint8_t> encodePng(const Image& image);

// A color in linear light, 0 .. 1 a channel.
struct Rgb {
  float r = 0, g = 0, b = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};
Rgb rgbFromSrgb(int r, int g, int b); // from 0 .. 255 as in "#rrggbb"

// Color scales that read the same with and without color vision.
Rgb sequentialColor(double t); // 0: dark blue, 1: light yellow, lightness grows evenly
Rgb divergingColor(double t);  // -1: blue, 0: light gray, 1: orange
// One color per joint; a joint, its parent and its siblings differ strongly.
std::vector<Rgb> jointColors(const Skeleton& skeleton);

// A perspective camera.
struct Camera {
  Vec3d eye{0, 0, 5};
  Vec3d target{};
  Vec3d up{0, 1, 0};         // need not be perpendicular to the line of sight, only not along it
  double field_of_view = 22; // angle between the lower and the upper border, degrees, 1 .. 150
};

enum class View { Front, ThreeQuarter, Side, Back, Top };
std::string_view viewName(View view); // "front", "three-quarter", ...
inline constexpr double kFrameMargin = 0.06;
// The camera that looks at the points from that side, as near as shows them all; `aspect` is width / height and
// `margin` the part of the picture kept free at each border. A default camera when there are no finite points.
Camera frameCamera(std::span<const Vec3f> points, View view, const Orientation& orientation, double aspect = 1,
                   double margin = kFrameMargin);

struct RenderOptions {
  int width = 512, height = 512; // pixels, 1 .. 8192
  int supersampling = 2;         // samples across a pixel, 1 .. 4
  bool ambient_occlusion = true; // darken what lies in folds and behind close parts
  bool ground_shadow = true;     // soft shadow on a floor under the lowest point
  bool transparent = false;      // nothing behind the figure but its shadow
  double crease_angle = 45;      // edges that bend more than this look sharp, degrees, 0 .. 180
  Rgb background = rgbFromSrgb(238, 240, 243);
  Vec3d up{0, 1, 0}; // normal of the floor
};
const OptionTable<RenderOptions>& renderOptionTable();

// Colors of a mesh: one a triangle, else one a vertex, else plain clay.
struct Paint {
  std::span<const Rgb> triangles; // empty, or one per triangle
  std::span<const Rgb> vertices;  // empty, or one per vertex
};

// Draws the mesh with its vertices at `posed_positions` (one per vertex; triangles with a corner that is not finite
// are left out). Both sides of a triangle are drawn.
Image renderMesh(const Mesh& mesh, std::span<const Vec3f> posed_positions, const Paint& paint, const Camera& camera,
                 const RenderOptions& options = {});

// What the colors of a character mean.
enum class ColorMode {
  Plain,          // clay
  Material,       // the colors given per triangle
  Weights,        // how strongly one joint pulls: sequentialColor 0 .. 1; gray: not at all
  Joints,         // the joints' colors mixed by weight
  Dominant,       // the color of the joint with the largest weight
  Stretch,        // mean change of the edges at a vertex: divergingColor from half to double length
  InfluenceCount, // joints per vertex: sequentialColor from 1 to the largest number shown; red: none
};

// Vertex colors for a mode; empty for Plain and Material. `joint` is for Weights, `posed_positions` for Stretch, and
// `most_influences`, the end of the scale, for InfluenceCount.
std::vector<Rgb> vertexColors(const Character& character, const SparseWeights& weights, ColorMode mode, int joint,
                              std::span<const Vec3f> posed_positions, int most_influences = kMaxInfluences);

// Writes ASCII text in the built-in fixed-width face, its top left corner at (x, y); `size` is the height of a
// capital letter in pixels. What falls outside is cut off; other characters appear as '?'.
void drawText(Image& image, std::string_view text, double x, double y, double size, Rgb color);
double textWidth(std::string_view text, double size);

// Pictures side by side with captions below them.
struct SheetCell {
  Image image;
  std::string caption;
};
struct SheetOptions {
  int columns = 0; // 0: about as many as rows
  std::string title;
  double text_size = 11; // height of a capital letter, pixels
  Rgb background = rgbFromSrgb(255, 255, 255);
  Rgb text_color = rgbFromSrgb(40, 44, 52);
};
Image contactSheet(std::span<const SheetCell> cells, const SheetOptions& options = {});

struct LabeledPose {
  std::string label;
  Pose pose;
};
struct LabeledSkin {
  std::string label; // may be empty
  const SparseWeights* weights = nullptr;
};
struct CharacterSheetOptions {
  RenderOptions render; // of one cell; `up` is taken from the orientation
  SheetOptions sheet;   // columns 0: the views of all skins in a row, one row a pose
  std::vector<View> views{View::ThreeQuarter};
  ColorMode mode = ColorMode::Plain;
  int joint = 0;                    // for ColorMode::Weights
  std::vector<Rgb> triangle_colors; // for ColorMode::Material
  bool legend = true;               // explain the colors below the pictures
};
// The pictures of a sheet one by one, row by row.
std::vector<SheetCell> characterCells(const Character& character, std::span<const LabeledSkin> skins,
                                      std::span<const LabeledPose> poses, const Orientation& orientation,
                                      const CharacterSheetOptions& options = {});
// Every pose with every skin from every view. All cells show the character at one scale, and those of one view from
// one camera. Poses are over the character's joints.
Image characterSheet(const Character& character, std::span<const LabeledSkin> skins, std::span<const LabeledPose> poses,
                     const Orientation& orientation, const CharacterSheetOptions& options = {});

} // namespace skincells
