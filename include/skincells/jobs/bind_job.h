// The command `bind`: reads a character, computes weights and writes the skinned character.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "skincells/bind.h"
#include "skincells/io/character_file.h"
#include "skincells/jobs/job_files.h"
#include "skincells/jobs/wear.h"
#include "skincells/verdict.h"

namespace skincells {

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
  std::string start = "";      // a field of a character with the same skeleton to start from; empty: none
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
