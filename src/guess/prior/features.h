// What the prior sees: for each vertex of a simplified mesh a few joints that it might follow, and for each of them a
// row of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "guess/guess_scene.h"
#include "guess/heat_sources.h"
#include "guess/prior/joint_traits.h"
#include "skincells/weights.h"

namespace skincells::guess {

inline constexpr int kCandidates = 8; // joints that a vertex may follow

// All lengths are in the scene. All references must outlive the object.
struct PriorInput {
  const GuessScene& scene; // the mesh on which sources were found
  const SourceFinder& finder;
  rig::DeformRig rig; // placed in the scene
  std::span<const rig::BoneSegment> bones;
  std::span<const Source> sources;           // by vertex of the scene
  std::span<const NearJoints> near;          // by vertex of the scene
  Mesh mesh;                                 // the simplified mesh, in the scene
  std::vector<std::uint32_t> representative; // vertex of `mesh` -> vertex of the scene
  SparseWeights heat;                        // one row per vertex of `mesh`, kCandidates slots
};

struct PriorFeatures {
  std::vector<int> joints;   // kCandidates per vertex, the likeliest first; -1: there are no more
  std::vector<float> values; // per vertex and candidate, featureCount() numbers; 0 where there is no joint
  std::vector<float> start;  // per vertex and candidate: logarithm of the weight before the prior
};

int featureCount();
// For documentation and training.
std::vector<std::string> featureNames();

PriorFeatures priorFeatures(const PriorInput& input);

} // namespace skincells::guess
