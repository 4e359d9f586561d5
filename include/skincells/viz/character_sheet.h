// Contact sheets of a character: every pose with every skin from every view.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skincells/character.h"
#include "skincells/viz/camera.h"
#include "skincells/viz/paint.h"
#include "skincells/viz/render_mesh.h"
#include "skincells/viz/sheet.h"

namespace skincells {

// The number of the skin shown, in captions.
enum class CaptionNumber {
  None,
  Stretch,  // rms of |ln(posed / bind edge length)| in this pose
  Distance, // rms distance from the first skin in this pose, % of the diagonal; the first has none
};
struct LabeledPose {
  std::string label;
  Pose pose;
  std::vector<int> focus = {}; // joints to look at from near; empty: the whole character
  CaptionNumber number = CaptionNumber::None;
};
struct LabeledSkin {
  std::string label; // may be empty
  const SparseWeights* weights = nullptr;
};
struct CharacterSheetOptions {
  RenderOptions render; // for one cell; `up` is taken from the orientation
  SheetOptions sheet;   // columns 0: the views of all skins in a row, one row per pose
  std::vector<View> views{View::ThreeQuarter};
  ColorMode mode = ColorMode::Plain;
  int joint = 0;                             // for ColorMode::Weights
  std::vector<Rgb> triangle_colors;          // for ColorMode::Material
  const SurfaceTextures* textures = nullptr; // for ColorMode::Material
  bool skeleton = false;                     // draw bones and joints over the pictures
  bool legend = true;                        // explain the colors below the pictures
};
// The pictures of a sheet one by one, row by row. ColorMode::Difference shows the skins after the first.
std::vector<SheetCell> characterCells(const Character& character, std::span<const LabeledSkin> skins,
                                      std::span<const LabeledPose> poses, const Orientation& orientation,
                                      const CharacterSheetOptions& options = {});
// Every pose with every skin from every view. All cells show the character at one scale, each pose in the middle of its
// cells; poses with a focus are larger. Poses are over the character's joints. captions: gets those of the pictures.
Image characterSheet(const Character& character, std::span<const LabeledSkin> skins, std::span<const LabeledPose> poses,
                     const Orientation& orientation, const CharacterSheetOptions& options = {},
                     std::vector<std::string>* captions = nullptr);

} // namespace skincells
