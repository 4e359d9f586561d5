// The command `compare`: measures skins of one mesh against a reference skin.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skincells/io/character_file.h"
#include "skincells/jobs/job_files.h"
#include "skincells/jobs/wear.h"
#include "skincells/metrics.h"
#include "skincells/options.h"
#include "skincells/progress.h"

namespace skincells {

struct CompareOptions {
  std::string poses;             // pose file; empty: random poses and the reference's clips
  int random_poses = 20;         // number of random poses if there is no pose file; 0: none
  double random_angle = 35;      // largest rotation of a joint in a random pose, degrees
  double frames_per_second = 10; // sampling rate of clips
  int clip_poses = 200;          // largest number of poses taken from clips, evenly spaced; 0: none
  std::uint64_t seed = 0;        // seed of the random poses
  double max_rms = 0;            // exceeds() is true beyond this rms distance, in % of the diagonal; 0: no limit
};
const OptionTable<CompareOptions>& compareOptionTable();

struct ComparedFile {
  std::string path;
  Comparison result;
  double bleeding_percent = 0; // see Bleeding
};
struct CompareResult {
  std::string reference_path;
  std::vector<PoseSetComparison> reference_shape; // shape metrics of the reference itself; errors are 0
  double reference_bleeding_percent = 0;
  std::vector<ComparedFile> others;
  Warnings warnings;
};
// Compares skins of one mesh. Vertices correspond by order, joints by name.
Result<CompareResult> compareSkins(const CharacterFile& reference, const std::vector<const CharacterFile*>& others,
                                   const CompareOptions& options = {});

struct CompareJob {
  std::string reference;
  std::vector<std::string> others;
  CompareOptions compare;
  WearOptions wear = {}; // the garments of the files are measured over what they are worn on
};

struct CompareOutcome {
  CompareJob job;
  CompareResult result;
  std::vector<GarmentOutcome> garments = {}; // inner layers first; the reference is the first skin of each
};

// Whether a skin is farther from the reference than max_rms in any set of poses.
bool exceeds(const CompareResult& result, double max_rms);

JobFiles filesOf(const CompareJob& job);
Result<CompareOutcome> run(const CompareJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<CompareOutcome> run(const CompareJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells
