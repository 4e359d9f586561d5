// What a variant of the method is optimized on.
#pragma once

#include <string>
#include <vector>

#include "fit/pose_objective.h"
#include "rig/bones.h"
#include "skincells/character.h"
#include "skincells/result.h"

namespace skincells::studies {

// Springs, guess and bones are over the deforming joints, and so are the poses.
struct Problem {
  Mesh welded;
  Mesh mesh; // the mesh that the losses are measured on
  std::vector<rig::BoneSegment> bones;
  std::vector<rig::BoneSpring> springs;
  SparseWeights guess; // one row per vertex of `mesh`; empty: none
  fit::PoseBatches batches;
};

enum class Basis {
  PaperBones, // the full mesh, the skeleton's own bones, springs by the paper's rule
  Bones,      // the simplified mesh, bones and springs of the product's guess
  Guess,      // the same, and the weights of the guess
  FullGuess,  // the same on the full mesh
};

// joints: as in BindOptions. The character must outlive the rig.
Result<rig::DeformRig> chooseRig(const Character& character, const std::string& joints);

Problem makeProblem(const Character& character, const Weld& weld, const rig::DeformRig& rig, fit::PoseBatches batches,
                    Basis basis, int max_influences);

// From rows of welded vertices to canonical ones of all vertices, none of them empty.
void cleanUp(const Mesh& welded, const Weld& weld, int max_influences, SparseWeights& weights);

} // namespace skincells::studies
