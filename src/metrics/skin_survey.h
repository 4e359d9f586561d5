// Statistics of a skin by joint and by part, for reports. Needs no reference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells::metrics {

// A joint moves a vertex if its weight there is above 1e-4. Lengths are in % of the mesh's diagonal.
struct JointSurvey {
  std::uint32_t led = 0; // vertices on which its weight is the largest
  double extent = 0;     // diagonal of the box of all vertices that it moves
  double farthest = 0;   // largest distance of a vertex that it leads from its bones; 0 for a joint without bones
};

// One connected part of the welded mesh that has a triangle.
struct PartSurvey {
  std::uint32_t first_vertex = 0;
  std::uint32_t vertices = 0; // as stored, so vertices of a seam count several times
  std::uint32_t triangles = 0;
  double size = 0;            // diagonal of its box
  bool rigid = false;         // all its vertices have the same row, to within 1e-3
  std::vector<int> joints;    // joints that move it, largest share first, at most 8
  std::vector<double> shares; // their shares of its weight
};

struct SkinSurvey {
  std::vector<JointSurvey> joints;          // one per joint of the skeleton
  std::vector<PartSurvey> parts;            // most vertices first
  std::vector<std::uint32_t> by_influences; // [n]: vertices that n joints move, n = 0 .. slots
};

// weights: one row per vertex. bones: segments in bind space, of any joints.
SkinSurvey surveySkin(const Mesh& mesh, const SparseWeights& weights, int joint_count,
                      std::span<const rig::BoneSegment> bones);

} // namespace skincells::metrics
