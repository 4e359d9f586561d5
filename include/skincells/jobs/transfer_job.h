// The command `transfer`: carries the weights of a skinned character over to another mesh.
#pragma once

#include <cstddef>
#include <string>

#include "skincells/io/character_file.h"
#include "skincells/jobs/job_files.h"
#include "skincells/transfer.h"

namespace skincells {

struct TransferJob {
  std::string source; // a skinned character
  std::string target; // the mesh to skin
  std::string output; // .glb, .gltf or .vrm
  ReadOptions read;   // for the target
  TransferOptions transfer;
  WriteOptions write;
  FieldOutputOptions field; // only TransferMethod::Field makes a field
};

struct TransferOutcome {
  TransferJob job;
  CharacterFile source, target;
  TransferResult result;
  std::size_t field_bytes = 0; // size of the written field; 0: none was written
};

JobFiles filesOf(const TransferJob& job);
// A target without a skeleton takes the source's, unless `read.rig` names another.
Result<TransferOutcome> run(const TransferJob& job, const ProgressFunction& progress = {});
// The same as a part of a run: outputs are staged, and appear when `outputs` are committed.
Result<TransferOutcome> run(const TransferJob& job, OutputSet& outputs, const ProgressFunction& progress = {});

} // namespace skincells
