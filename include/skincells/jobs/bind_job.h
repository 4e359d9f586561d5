// The command `bind`: reads a character, computes weights and writes the skinned character.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/jobs/job_files.h"
#include "skincells/verdict.h"

namespace skincells {

// What is worn on what. Everything empty: the file is an ordinary character.
struct WearOptions {
  std::string body = "";    // files that the input is worn on, separated by commas
  std::string garment = ""; // meshes or materials of the input that are garments; names or patterns
  std::string layers = "";  // the same, one layer each, from the inner to the outer one

  bool wanted() const { return !body.empty() || !garment.empty() || !layers.empty(); }
};
const OptionTable<WearOptions>& wearOptionTable();

struct BindJob {
  std::string input;
  std::string output; // .glb, .gltf or .vrm
  ReadOptions read;
  BindOptions bind;
  WriteOptions write;
  FieldOutputOptions field; // only BindMethod::SkinCells makes a field
  VerdictOptions verdict = {};
  WearOptions wear = {};
  GarmentOptions garment = {}; // if something is worn
};

// A garment as it was bound, and as simpler methods would bind it, in the same poses.
struct GarmentOutcome {
  struct Skin {
    std::string method; // "skin-cells", "proximity", "closest point", "robust"
    GarmentQuality quality;
  };
  std::string name;
  int poses = 0;
  int own_joints = 0;
  std::vector<Skin> skins; // the result first
};

struct BindOutcome {
  BindJob job;
  CharacterFile input;
  BindResult result;
  std::optional<FieldDocument> field;        // if one was written
  std::size_t field_bytes = 0;               // size of the written field
  Verdict verdict;                           // how the result deforms
  std::vector<GarmentOutcome> garments = {}; // inner layers first
};

JobFiles filesOf(const BindJob& job);
// Output paths and options are checked before any work. If the job fails, nothing is written.
Result<BindOutcome> run(const BindJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<BindOutcome> run(const BindJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells
