// The guess for a garment: the rows of the body below tight cloth, own joints where the garment has them, and a smooth
// continuation between them.
#pragma once

#include <span>
#include <vector>

#include "garment/worn_body.h"
#include "skincells/joints.h"
#include "skincells/rig.h"

namespace skincells::garment {

struct ClothGuess {
  SparseWeights weights;                // one row per vertex of the welded garment, over the skeleton's joints
  std::vector<float> trust;             // by vertex, 0 .. 1
  std::vector<int> moving;              // joints with weights, ascending
  std::vector<int> own;                 // own joints of the garment, ascending
  std::vector<int> covered;             // joints of the body under the garment, ascending
  std::vector<JointDecision> decisions; // one per joint of the skeleton
};

struct ClothOptions {
  int max_influences = 4;
  // Joints that may move the garment, ascending; empty: own joints, and body joints whose cloth they do not carry.
  std::vector<int> chosen;
};

// decisions: which joints deform garment and body, one per joint. At least one joint of the result moves the garment.
ClothGuess guessCloth(const Mesh& welded, const Skeleton& skeleton, const WornBody& body,
                      std::vector<JointDecision> decisions, const ClothOptions& options);

// By vertex of the body: whether a covered joint moves it most.
std::vector<char> verticesUnder(const WornBody& body, std::span<const int> covered);
// The triangles of the body with such a vertex.
Body partOf(const WornBody& body, std::span<const char> under);

} // namespace skincells::garment
