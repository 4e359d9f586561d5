// Separate parts that move as one piece: buckles, tools, plates, horns, eyeballs, teeth.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "guess/guess_scene.h"
#include "rig/bones.h"
#include "skincells/weights.h"

namespace skincells::guess {

enum class RigidKind {
  Ball,      // small and roundish, with a leaf joint in its middle, which it follows alone: an eyeball
  Accessory, // small, and no bone runs through it: it follows the parts it touches
  Stiff,     // its own weights hardly vary over it, so that they may as well be the same: a plate
};

struct RigidPart {
  RigidKind kind = RigidKind::Stiff;
  int joint = -1;                      // that carries most of it
  std::vector<std::uint32_t> vertices; // ascending
};

// Finds the connected parts that move as one piece and gives each a single row of weights; other rows stay as they are.
// - A ball's row is the leaf in its middle.
// - An accessory, a part smaller than a quarter of the mesh that no bone runs through, follows its host: the mean of
//   the rows of other parts where it touches them, or comes nearest to them.
// - A stiff part, never the largest one, gets the mean of its own rows.
// bones: as from fleshBones. weights: one row per vertex of the scene's mesh.
std::vector<RigidPart> bindRigidParts(const GuessScene& scene, const Skeleton& placed,
                                      std::span<const rig::BoneSegment> bones, SparseWeights& weights);

// Gives each part a single row again, the mean of its vertices' rows.
void levelRigidParts(std::span<const RigidPart> parts, SparseWeights& weights);

// A part with its row, to be carried over to other weights of the same vertices.
struct RigidRow {
  RigidPart part;
  SparseWeights row; // one

  // Balls and accessories take the row: it knows what they touch. Stiff parts get the mean of the rows they have.
  void bind(SparseWeights& weights) const;
};
std::vector<RigidRow> rigidRows(std::span<const RigidPart> parts, const SparseWeights& weights);

} // namespace skincells::guess
