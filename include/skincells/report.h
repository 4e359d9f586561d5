// The documents that commands print: each as text for people and as JSON (schema: docs/report.schema.json).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "skincells/apply.h"
#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/jobs/cloud.h"
#include "skincells/jobs/lod_job.h"
#include "skincells/jobs/pose_job.h"
#include "skincells/metrics.h"
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

// The error as the one JSON document that `--json` promises.
std::string errorJson(const Error& error);

// Could a report be written there? Nothing is changed; ask before long work or before the result is written. No path is
// no report, and fine.
Result<void> checkReportPath(const std::string& path);
// Writes a report beside the result; an older one is replaced.
Result<void> writeReport(const std::string& path, const std::string& contents);
// Writes a page that is itself the result; an existing file is refused unless `force`.
Result<void> writeOutput(const std::string& path, const std::string& contents, bool force);

} // namespace skincells
