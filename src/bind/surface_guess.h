// A first idea of the weights that knows the surface: which bone each vertex can see from inside, spread as heat.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bind/heat_solve.h"
#include "rig/bones.h"
#include "skincells/mesh.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::binding {

// Lengths are relative to a character whose largest side is 170.
inline constexpr double kGuessSize = 170;

struct GuessOptions {
  int max_influences = 4;
  double heat = 4;
  double min_distance = 0.3;
  double reach = 1.5;
  double blocked_trust = 0.05;
  double layer_trust = 0.3;
  int candidates = 6;
  int mode = 3;
  double x1 = 1, x2 = 1, x3 = 0.5, x4 = 0.75, x5 = 1.2, x6 = 1;
};

// A vertex tied to the point of a bone that it can see.
struct Spring {
  std::uint32_t vertex = 0;
  int joint = -1;
  Vec3d foot; // in bind space
};

struct Guess {
  SparseWeights weights;    // one row per vertex of the mesh, none of them empty
  std::vector<int> source;  // per vertex: the joint it was held to
  std::vector<float> trust; // per vertex: 0 .. 1
  std::vector<Spring> springs;
  std::vector<rig::BoneSegment> bones; // in bind space
};

// mesh: welded. deforming: joint indices, at least one; misplaced: joints towards which no bone runs.
Guess guessOnSurface(const Mesh& welded, const Skeleton& skeleton, std::span<const int> deforming,
                     std::span<const int> misplaced, const GuessOptions& options = {});

} // namespace skincells::binding
