// Separate parts that move as one piece: buckles, tools, plates, horns, eyeballs, teeth.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "guess/guess_scene.h"
#include "rig/bones.h"
#include "skincells/weights.h"

namespace skincells::guess {

enum class RigidReason : std::uint8_t { Accessory, OneJoint, LeafInside };

struct RigidPart {
  RigidReason reason = RigidReason::OneJoint;
  int joint = -1;                      // carries most of it
  std::vector<std::uint32_t> vertices; // ascending
};

// Finds the connected parts that move as one piece and gives each a single row of weights; other rows do not change.
// - An accessory, small and without a bone inside, follows its host: the mean of the rows of other parts where it
//   touches them or is nearest to them. A buckle on two straps may follow both.
// - A part that is mostly one joint's, by its weights or by the heat before the prior, follows that joint alone: a
//   plate, the shell of a robot's arm.
// - So does a part around a leaf joint that all of it is nearest to, but for the leaf's parent: an eyeball.
// The largest part stays as it is, and parts with a vertex that bends.
// bends: by vertex; empty: none has to. bones: as from surfaceBones. heat, weights: one row per vertex of the scene's
// mesh.
std::vector<RigidPart> bindRigidParts(const GuessScene& scene, const Skeleton& placed,
                                      std::span<const rig::BoneSegment> bones, const SparseWeights& heat,
                                      const std::vector<bool>& bends, SparseWeights& weights);

// Gives each part a single row again: the mean of the rows of its vertices.
void levelRigidParts(std::span<const RigidPart> parts, SparseWeights& weights);

// A part with its row, to be carried over to other weights of the same vertices.
struct RigidRow {
  RigidPart part;
  SparseWeights row; // one

  void bind(SparseWeights& weights) const;
};
std::vector<RigidRow> rigidRows(std::span<const RigidPart> parts, const SparseWeights& weights);

} // namespace skincells::guess
