// Garments bound over a body: files, parts of a file, layers.
#pragma once

#include <span>

#include "jobs/worn.h"
#include "skincells/jobs/bind_job.h"

namespace skincells::jobs {

// The input of a bind. A garment without a skeleton takes that of its body.
Result<CharacterFile> readWearer(const BindJob& job);

struct Outfit {
  BindResult result; // over all vertices of the file; a field only if the whole file is one garment
  std::vector<GarmentOutcome> garments;
  WornPoses poses;
};
// Binds the garments of the file, inner layers first. Each stays out of the body and of the layers before it. Without
// --body, what is no garment is the body, and is bound first. inner: skinned garments of other files, worn below.
Result<Outfit> bindOutfit(const BindJob& job, const CharacterFile& file, std::span<const Character> inner,
                          OutputSet& outputs, const ProgressFunction& progress);

// `run` of a bind, over skinned garments of other files.
Result<BindOutcome> runOver(const BindJob& job, std::span<const Character> inner, OutputSet& outputs,
                            const ProgressFunction& progress);

} // namespace skincells::jobs
