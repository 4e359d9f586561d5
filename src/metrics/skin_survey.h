// What a skin does, joint by joint and part by part: for reports, without a reference to compare with.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells::metrics {

// A joint moves a vertex when its weight there is above 1e-4. Lengths are in % of the mesh's diagonal.
struct JointSurvey {
  std::uint32_t led = 0; // vertices on which its weight is the largest
  double extent = 0;     // diagonal of the box of all vertices that it moves
  double farthest = 0;   // of the vertices that it leads, from its nearest bone; 0 for a joint without bones
};

// One connected part of the welded mesh that has a triangle.
struct PartSurvey {
  std::uint32_t first_vertex = 0;
  std::uint32_t vertices = 0; // as stored: those of a seam count each
  std::uint32_t triangles = 0;
  double size = 0;            // diagonal of its box
  bool rigid = false;         // all its vertices have the same row, to within 1e-3
  std::vector<int> joints;    // that move it, heaviest first, at most 8 of them
  std::vector<double> shares; // their shares of its weight
};

struct SkinSurvey {
  std::vector<JointSurvey> joints;          // one per joint of the skeleton
  std::vector<PartSurvey> parts;            // most vertices first
  std::vector<std::uint32_t> by_influences; // [n]: vertices that n joints move, n = 0 .. slots
};

// weights: one row per vertex. bones: of any joints, in bind space.
SkinSurvey surveySkin(const Mesh& mesh, const SparseWeights& weights, int joint_count,
                      std::span<const rig::BoneSegment> bones);

} // namespace skincells::metrics
