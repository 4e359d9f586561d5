// Surface-aware initial weights: each vertex is held to a bone that it sees from inside, and the rest diffuses as heat.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "guess/prior/features.h"
#include "guess/prior/network.h"
#include "guess/rigid_parts.h"
#include "guess/symmetry.h"
#include "mesh/simplify.h"
#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::guess {

struct GuessOptions {
  int max_influences = 4;       // K, 1 .. kMaxInfluences
  bool symmetry = true;         // make the weights symmetric where the character is
  const Prior* prior = nullptr; // corrects the heat for a field; nullptr: heat alone
  std::vector<bool> bends = {}; // by vertex: no part of it moves as one piece; empty: all may
  // Asked between the steps of guessForField. False: the guess is not wanted any more, and what is returned is not one.
  std::function<bool()> go_on = {};
};

struct Guess {
  SparseWeights weights;                // one row per vertex, at most K joints, none empty, sums to 1, largest first
  std::vector<int> source;              // per vertex: the joint it was held to
  std::vector<float> trust;             // per vertex: how firmly, 0 .. 1
  std::vector<float> confidence;        // per vertex: how sure the prior is, 0 .. 1; empty: no prior
  std::vector<rig::BoneSpring> springs; // vertices in ascending order
  std::vector<RigidPart> rigid_parts;   // parts that move as one piece
  std::optional<Symmetry> symmetry;     // in bind space; nothing: not found, or not asked for
  std::vector<rig::BoneSegment> bones;  // in bind space: the bones that distances were measured to
};

// Weights every vertex of a welded mesh. Works on anything: open, non-manifold, flat, without triangles, without size.
// Does not depend on the unit of length or the number of threads.
Guess guessOnSurface(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options = {});

// The same for a mesh of any size in bounded time: for large meshes the guess is made on a simplified copy and its
// weights are interpolated; everything else in the result but the rigid parts belongs to the copy.
Guess guessWeights(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options = {});

// The guess for a simplified copy of the mesh, on which a field is optimized. It is made on the full mesh where that is
// small enough, and the rows of a cluster are averaged: small parts and thin layers do not survive simplification.
struct CoarseGuess {
  Mesh mesh;
  Guess guess;                   // one row per vertex of `mesh`
  std::vector<RigidRow> rigid;   // over the vertices of the full mesh
  std::vector<float> confidence; // over the vertices of the full mesh; empty: no prior
};
CoarseGuess guessForField(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options = {});

// The same from rows that were computed elsewhere, one per vertex of `welded`; trust: 0 .. 1, by vertex. Adds rigid
// parts and symmetry. No springs. options: symmetry and bends.
CoarseGuess coarseGuessFrom(const Mesh& welded, const rig::DeformRig& rig, const SparseWeights& rows,
                            std::span<const float> trust, const GuessOptions& options);

// What the prior sees of a character, and the mesh it sees it on. For training.
struct PriorView {
  mesh::Clustered simple; // in bind space
  PriorFeatures features;
};
PriorView viewForPrior(const Mesh& welded, const rig::DeformRig& rig);

} // namespace skincells::guess
