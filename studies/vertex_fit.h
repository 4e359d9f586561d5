// Weights optimized per vertex, without a field, for comparison.
#pragma once

#include <span>

#include "fit/field_fit.h"
#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells::studies {

// Moves the weights (one row per vertex of the welded mesh, none empty) toward low pose losses and keeps the
// `max_influences` largest of each row. A vertex may use the joints that it or a neighbor starts with; its weights are
// the softmax of free parameters, so that they stay positive with sum 1. Options about fields are ignored.
// Reports progress as the stage "losses".
fit::FitReport minimizeVertexLosses(SparseWeights& weights, int max_influences, const Mesh& welded,
                                    std::span<const rig::BoneSpring> springs, const fit::PoseBatches& batches,
                                    const fit::LossFitOptions& options, const ProgressFunction& progress = {});

} // namespace skincells::studies
