#include "studies/problem.h"

#include "base/try.h"
#include "guess/surface_guess.h"
#include "joints/rules.h"
#include "mesh/solve_weld.h"
#include "metrics/fill_unweighted.h"
#include "skincells/joints.h"
#include "studies/bone_springs.h"
#include "weights/rows_edit.h"

namespace skincells::studies {
namespace {

// The skeleton's own bones, and springs by the paper's rule.
void useBones(const rig::DeformRig& rig, Problem& p) {
  p.mesh = p.welded;
  p.bones = rig::boneSegments(rig);
  p.springs = springsToNearestBones(p.mesh, p.bones);
}

// Bones, springs and weights of the product's guess.
void useGuess(const rig::DeformRig& rig, bool full_mesh, int max_influences, Problem& p) {
  const guess::GuessOptions options{.max_influences = max_influences};
  guess::Guess guess;
  if (full_mesh) {
    guess = guess::guessOnSurface(p.welded, rig, options);
    p.mesh = p.welded;
  } else {
    guess::CoarseGuess coarse = guess::guessForField(p.welded, rig, options);
    guess = std::move(coarse.guess);
    p.mesh = std::move(coarse.mesh);
  }
  p.bones = std::move(guess.bones);
  p.springs = std::move(guess.springs);
  p.guess = std::move(guess.weights);
}

} // namespace

Result<rig::DeformRig> chooseRig(const Character& character, const std::string& joints) {
  SKINCELLS_TRY(decisions, chooseJoints(character, joints));
  rig::DeformRig rig{character.skeleton, {}, joints::misplacedJoints(joints::chooseByRules(character))};
  for (const JointDecision& d : decisions)
    if (d.deforms) rig.deforming.push_back(d.joint);
  if (rig.deforming.empty()) return Error{ErrorCode::NoJoints, "no joint deforms; keep at least one", "--joints"};
  return rig;
}

Problem makeProblem(const Character& character, const Weld& weld, const rig::DeformRig& rig, fit::PoseBatches batches,
                    Basis basis, int max_influences) {
  Problem p;
  p.welded = mesh::solveMesh(character.mesh, weld);
  p.batches = std::move(batches);
  if (basis == Basis::PaperBones)
    useBones(rig, p);
  else
    useGuess(rig, basis == Basis::FullGuess, max_influences, p);
  if (basis == Basis::Bones) p.guess = {}; // only its bones and springs
  std::vector<int> field_joint(rig.skeleton.joints.size(), -1);
  for (std::size_t f = 0; f < rig.deforming.size(); ++f) field_joint[rig.deforming[f]] = static_cast<int>(f);
  for (rig::BoneSpring& s : p.springs) s.joint = field_joint[s.joint];
  for (rig::BoneSegment& s : p.bones) s.joint = field_joint[s.joint];
  if (!p.guess.empty()) weights::remapJoints(p.guess, field_joint);
  return p;
}

void cleanUp(const Mesh& welded, const Weld& weld, int max_influences, SparseWeights& weights) {
  canonicalize(weights, max_influences);
  metrics::fillUnweighted(welded.positions, weights);
  weights = gatherRows(weights, weld.welded_of_vertex);
}

} // namespace skincells::studies
