// A first idea of the weights that knows the surface: which bone each vertex can see from inside, spread as heat.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "guess/rigid_parts.h"
#include "guess/symmetry.h"
#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::guess {

struct GuessOptions {
  int max_influences = 4; // K, 1 .. kMaxInfluences
  bool symmetry = true;   // make the weights symmetric where the character is
};

struct Guess {
  SparseWeights weights;                // one row per vertex, at most K joints, none empty, sums to 1, largest first
  std::vector<int> source;              // per vertex: the joint it was held to
  std::vector<float> trust;             // per vertex: how firmly, 0 .. 1
  std::vector<rig::BoneSpring> springs; // vertices in ascending order
  std::vector<RigidPart> rigid_parts;   // what moves as one piece
  std::optional<Symmetry> symmetry;     // in bind space; nothing: none was found, or not wanted
  std::vector<rig::BoneSegment> bones;  // in bind space: what the flesh was measured against
};

// Weights every vertex of a welded mesh. Works on anything: open, non-manifold, flat, without triangles, without size.
// Does not depend on the unit of length or the number of threads.
Guess guessOnSurface(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options = {});

// The same for a mesh of any size in bounded time: large meshes are guessed on a simplified copy, and the weights
// carried over; what else is returned is that of the copy.
Guess guessWeights(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options = {});

// The guess for a simplified copy of the mesh, on which a field is optimized: vertices clustered at 2 of a largest side
// of 170. It is made on the full mesh where that is small enough, and the rows of a cluster are averaged: small parts
// and thin layers do not survive simplification.
struct CoarseGuess {
  Mesh mesh;
  Guess guess;                 // one row per vertex of `mesh`
  std::vector<RigidRow> rigid; // over the vertices of the full mesh
};
CoarseGuess guessForField(const Mesh& welded, const rig::DeformRig& rig, const GuessOptions& options = {});

} // namespace skincells::guess
