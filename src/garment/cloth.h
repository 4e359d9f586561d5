// How a garment hangs on its body at rest: what is below each vertex, and which joints are its own.
#pragma once

#include <span>
#include <vector>

#include "garment/worn_body.h"
#include "guess/guess_scene.h"
#include "rig/bones.h"
#include "skincells/rig.h"

namespace skincells::garment {

// The joints that move nothing of the body and are nearer to the garment than to the body's surface, as everything
// below them: skirt chains, coat tails, but not the spine in a shirt that replaces the chest, nor a joint in the middle
// of a sleeve or with the name of a part of a human body. candidates: joints that deform, ascending.
std::vector<int> ownJoints(const Skeleton& skeleton, std::span<const int> candidates, const WornBody& body,
                           const Mesh& garment);

// Bones of own joints, in bind space. A leaf continues the bone before it.
struct OwnBone : rig::BoneSegment {
  bool first = false; // starts at a joint whose parent is not an own joint
};
std::vector<OwnBone> ownBones(const Skeleton& skeleton, std::span<const int> own);

// The nearest own bone of a vertex.
struct OwnPlace {
  int joint = -1; // -1: the cloth here is not carried by own joints
  double distance = 0;
};

struct Cloth {
  std::vector<mesh::SurfacePlace> below; // by vertex: the place of the body below it; distances in bind units
  std::vector<char> facing;              // by vertex: the body below faces the same way as the cloth
  SparseWeights rows;                    // by vertex: those of the body below
  std::vector<OwnPlace> own;             // by vertex
  double spacing = 0;                    // between own chains, in bind units; infinite for a single one
};

// scene: of the welded garment.
Cloth layOut(const guess::GuessScene& scene, const Mesh& welded, const Skeleton& skeleton, const WornBody& body,
             std::span<const OwnBone> bones, int max_influences);

} // namespace skincells::garment
