// The documents that commands print: each as text for people and as JSON (schema: docs/report.schema.json).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "skincells/apply.h"
#include "skincells/bind.h"
#include "skincells/character_file.h"
#include "skincells/cloud.h"
#include "skincells/lod.h"
#include "skincells/metrics.h"
#include "skincells/posing.h"
#include "skincells/render.h"
#include "skincells/transfer.h"

namespace skincells {

struct Document {
  std::string text; // for a terminal
  std::string json; // one document, indented, ends in a newline
};

// What is in the file.
Document inspectDocument(const CharacterFile& file);

struct CheckOptions {
  int max_influences = 4; // more than this per vertex is an error
  bool strict = false;    // warnings fail the gate too
};
const OptionTable<CheckOptions>& checkOptionTable();

struct CheckResult {
  bool passed = true;
  std::vector<Defect> defects;
};
// Is this skin sound?
CheckResult checkSkin(const CharacterFile& file, const CheckOptions& options = {});
Document checkDocument(const CharacterFile& file, const CheckResult& result, const CheckOptions& options);

struct CompareOptions {
  std::string poses;             // pose file; empty: the reference's clips and random poses
  int random_poses = 20;         // random poses where no pose file is given, 0: none
  double random_angle = 35;      // largest turn of a joint in a random pose, degrees
  double frames_per_second = 10; // how densely clips are sampled
  int clip_poses = 200;          // most poses taken from clips, spread evenly; 0: none
  std::uint64_t seed = 0;        // of the random poses
};
const OptionTable<CompareOptions>& compareOptionTable();

struct ComparedFile {
  std::string path;
  Comparison result;
};
struct CompareResult {
  std::string reference_path;
  std::vector<PoseSetComparison> reference_shape; // the reference's own shape figures
  std::vector<ComparedFile> others;
  Warnings warnings;
};
// Compares skins of one mesh; vertices correspond by order, joints by name.
Result<CompareResult> compareSkins(const CharacterFile& reference, const std::vector<const CharacterFile*>& others,
                                   const CompareOptions& options = {});
Document compareDocument(const CompareResult& result, const CompareOptions& options);

// How the skin of a summary was written, and how much is to be said about it.
struct WrittenSkin {
  WriteOptions write_options;
  std::string output_path;
  FieldOutput field_output;  // how a field was written with it, if any
  bool measure_shape = true; // pose the result and measure stretch, flips, volume (takes a moment)
};

// What a bind did: options, joints left out and why, statistics, posed shape, warnings, timings.
struct BindSummary : WrittenSkin {
  const CharacterFile* input = nullptr;
  const BindResult* result = nullptr;
  BindOptions options;
  const FieldDocument* field = nullptr; // the field, where one was written
};
Document bindDocument(const BindSummary& summary);
// The same as one self-contained HTML page with pictures, to look at and to attach to a ticket.
std::string bindPage(const BindSummary& summary);

// The field of a bind as it is to be written: with its parts, the unit and up-axis that the file tells, the hash of the
// file and the options. Warnings go to the result's report. Error where the bind made no field.
Result<FieldDocument> fieldOfBind(const CharacterFile& file, const BindOptions& options, BindResult& result);

// What applying a field to a character or a cloud did: how the mesh was aligned, statistics, posed shape.
struct ApplySummary : WrittenSkin {
  std::variant<const CharacterFile*, const PointCloudFile*> input;
  const FieldDocument* field = nullptr;
  const ApplyResult* result = nullptr;
  ApplyOptions options;
  std::string field_path;
};
Document applyDocument(const ApplySummary& summary);

// What a transfer did: how well surfaces or field matched, statistics, posed shape.
struct TransferSummary : WrittenSkin {
  const CharacterFile* source = nullptr;
  const CharacterFile* target = nullptr;
  const TransferResult* result = nullptr;
  TransferOptions options;
};
Document transferDocument(const TransferSummary& summary);

// The levels of a character, and how far their posed surfaces are from that of level 0.
Document lodDocument(const CharacterFile& input, const LodResult& result, const LodJob& job);

// What was posed, and how.
Document poseDocument(const PoseResult& result, const PoseOptions& options);

// A page about finished skins: pictures of rest and worst poses, weight maps, figures against thresholds, soundness,
// joints left out and why, and how the first was bound as far as that is known. Others are skins of the same mesh,
// beside the first and measured against it.
struct SkinPageOptions {
  // Ranges of motion of random poses, as in BindOptions, but "auto" is by the parts of a body that names tell, else by
  // the clips, else one cone; or the ranges of `bind_report`.
  std::string rom = "auto";
  std::string bind_report = ""; // the JSON that `bind --report` wrote for the first skin; empty: none
};
const OptionTable<SkinPageOptions>& skinPageOptionTable();
Result<std::string> skinPage(const CharacterFile& first, const std::vector<const CharacterFile*>& others = {},
                             const SkinPageOptions& options = {});

// Which way the character stands in bind space, by the file's node tree where it tells.
Orientation orientationOf(const CharacterFile& file);

// Contact sheets: which poses, from where, in which colors.
enum class SheetPoses { Bind, Random, Worst, Clip, Overview };
struct RenderSheetOptions {
  SheetPoses poses = SheetPoses::Worst;
  int count = 3;                            // poses; of an overview: random ones, and as many of the clips
  std::string rom = "auto";                 // ranges of motion of random poses, as in SkinPageOptions
  std::optional<double> angle = {};         // instead: every joint turns by up to this, degrees
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

// The error as the one JSON document that `--json` promises.
std::string errorJson(const Error& error);

// Could a report be written there? Nothing is changed; ask before long work or before the result is written. No path is
// no report, and fine.
Result<void> checkReportPath(const std::string& path);
// Writes a report beside the result; an older one is replaced.
Result<void> writeReport(const std::string& path, const std::string& contents);
// Writes a page or a picture (as PNG) that is itself the result; one that exists is refused unless `force`.
Result<void> writeOutput(const std::string& path, const std::string& contents, bool force);
Result<void> writeOutput(const std::string& path, const Image& image, bool force);

} // namespace skincells
