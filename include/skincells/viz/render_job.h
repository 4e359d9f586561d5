// Contact sheets: pictures of posed characters side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/options.h"
#include "skincells/result.h"
#include "skincells/viz/render.h"

namespace skincells {

// Which way the character stands in bind space, by the file's node tree where it tells.
Orientation orientationOf(const CharacterFile& file);

// Contact sheets: which poses, from where, in which colors.
enum class SheetPoses { Bind, Random, Worst, Clip, Overview };
struct RenderSheetOptions {
  SheetPoses poses = SheetPoses::Worst;
  int count = 3;                            // poses; of an overview: random ones, and as many of the clips
  std::string rom = "auto";                 // ranges of motion of random poses, as in SkinPageOptions
  double angle = 0;                         // instead of `rom`: every joint turns by up to this, degrees; 0: use `rom`
  std::string views = "three-quarter,back"; // comma-separated
  ColorMode color = ColorMode::Material;
  std::string joint = "";  // for ColorMode::Weights
  std::string title = "";  // above the pictures
  std::string labels = ""; // of the skins, separated by commas; empty: numbers and names
  int size = 360;          // of a picture, pixels
  int columns = 0;         // pictures in a row; 0: one pose a row
  std::uint64_t seed = 0;
};
const OptionTable<RenderSheetOptions>& renderSheetOptionTable();
// Draws the skinned character, and beside it other skins of the same mesh.
Result<Image> renderSheet(const CharacterFile& file, const std::vector<const CharacterFile*>& others,
                          const RenderSheetOptions& options = {});

// Writes the picture as PNG; an existing file is refused unless `force`.
Result<void> writeOutput(const std::string& path, const Image& image, bool force);

} // namespace skincells
