// How sure the prior is of its weights.
#pragma once

#include <vector>

#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells::guess {

// Per vertex, 0 .. 1. The weights are read as chances of following one joint alone: confidence falls with the spread of
// the places to which these joints would carry the vertex when all joints turn at random. A vertex between two joints
// that hardly move apart is sure; one between the two legs is not. At 0.5 the spread is 1 % of the diagonal.
std::vector<float> confidenceOf(const Mesh& mesh, const rig::DeformRig& rig, const SparseWeights& weights);

} // namespace skincells::guess
