// The command `render`: contact sheets, pictures of posed characters side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/jobs/job_files.h"
#include "skincells/options.h"
#include "skincells/progress.h"
#include "skincells/report.h"
#include "skincells/result.h"
#include "skincells/viz/camera.h"
#include "skincells/viz/image.h"
#include "skincells/viz/paint.h"

namespace skincells {

enum class SheetPoses {
  Bind,     // the bind pose alone
  Random,   // random poses
  Worst,    // the random poses that stretch the mesh most
  Clip,     // poses of the file's clips
  Test,     // named poses in which people judge characters: arms up, squat, fists, ...; chains bent for others
  Overview, // the bind pose, the random poses in which the skins differ most, and poses of the clips
};

struct RenderSheetOptions {
  SheetPoses poses = SheetPoses::Worst;
  int count = 3; // number of poses (but all of Test); of an overview: of random poses, and as many clip poses, 1 .. 64
  std::string rom = "auto"; // ranges of motion of random poses: "auto", "generic", "humanoid", "clips" or a range file
  double angle = -1;        // instead of `rom`: largest rotation of every joint, degrees; -1: use `rom`
  std::string views = "three-quarter,back"; // separated by commas
  ColorMode color = ColorMode::Material;
  std::string joint = "";  // name of the joint for ColorMode::Weights
  std::string title = "";  // text above the pictures
  std::string labels = ""; // captions of the skins, separated by commas; empty: numbers and names
  bool bones = false;      // draw the skeleton over the pictures
  int size = 360;          // longer side of a picture, pixels, 32 .. 2048
  int columns = 0;         // pictures in a row; 0: one row per pose
  std::uint64_t seed = 0;  // seed of the random poses
  Front front = Front::Auto;
};
const OptionTable<RenderSheetOptions>& renderSheetOptionTable();

struct SheetNotes {
  std::vector<std::string> captions; // of the pictures, row by row
  Warnings warnings;                 // what pictures cannot show
};

// Draws the skinned character and, beside it, other skins of the same mesh.
Result<Image> renderSheet(const CharacterFile& file, const std::vector<const CharacterFile*>& others,
                          const RenderSheetOptions& options = {}, SheetNotes* notes = nullptr);

struct RenderJob {
  std::string input;               // a character, or a cloud of points or splats
  std::vector<std::string> others; // other skins of the same mesh
  std::string output;              // .png
  bool force = false;              // replace an existing output
  RenderSheetOptions sheet;
  std::string rig = ""; // for a cloud: the file with the skeleton of its weights
};

struct RenderOutcome {
  RenderJob job;
  int width = 0, height = 0; // pixels
  SheetNotes notes;          // with the warnings of the files
};

JobFiles filesOf(const RenderJob& job);
Result<RenderOutcome> run(const RenderJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<RenderOutcome> run(const RenderJob& job, OutputSet& outputs, const ProgressFunction& progress = {});
Document documentOf(const RenderOutcome& outcome, const DocumentOptions& options = {});

} // namespace skincells
