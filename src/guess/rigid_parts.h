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
  Ball,      // small and round, with a leaf joint at its center, which it follows alone: an eyeball
  Accessory, // small, without a bone inside: it follows the parts it touches
  Stiff,     // its weights hardly vary: a plate
};

struct RigidPart {
  RigidKind kind = RigidKind::Stiff;
  int joint = -1;                      // carries most of it
  std::vector<std::uint32_t> vertices; // ascending
};

// Finds the connected parts that move as one piece and gives each a single row of weights; other rows do not change.
// - A ball follows the leaf joint at its center.
// - An accessory follows its host: the mean of the rows of other parts where it touches them or is nearest to them.
// - A stiff part, never the largest one, gets the mean of its own rows.
// bones: as from surfaceBones. weights: one row per vertex of the scene's mesh.
std::vector<RigidPart> bindRigidParts(const GuessScene& scene, const Skeleton& placed,
                                      std::span<const rig::BoneSegment> bones, SparseWeights& weights);

// Gives each part a single row again: the mean of the rows of its vertices.
void levelRigidParts(std::span<const RigidPart> parts, SparseWeights& weights);

// A part with its row, to be carried over to other weights of the same vertices.
struct RigidRow {
  RigidPart part;
  SparseWeights row; // one

  // Balls and accessories take the row. Stiff parts take the mean of their own rows.
  void bind(SparseWeights& weights) const;
};
std::vector<RigidRow> rigidRows(std::span<const RigidPart> parts, const SparseWeights& weights);

} // namespace skincells::guess
