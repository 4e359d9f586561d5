// Where a bind is least sure, for reports.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skincells/mesh.h"
#include "skincells/weights.h"

namespace skincells::metrics {

// A vertex is doubtful below this confidence: the joints that it might follow would carry it about 2 % of the diagonal
// apart.
inline constexpr float kDoubtful = 0.33F;

// A place on the surface to look at.
struct DoubtfulPlace {
  std::uint32_t vertex = 0; // the least sure one there
  double confidence = 0;    // its confidence
  Vec3d position;           // in bind space
  int joint = -1;           // that leads it
  int other = -1;           // with the second largest weight there; -1: none
};

struct ConfidenceSurvey {
  double mean = 1;                   // over vertices, as all of these
  double percent_doubtful = 0;       // doubtful vertices
  std::vector<double> of_joint;      // mean over the vertices that a joint leads; 1 if it leads none
  std::vector<DoubtfulPlace> places; // least sure first, at most 8, all doubtful
};

// confidence: one per vertex, 0 .. 1. Places are at least a tenth of the diagonal apart, so that each is another one.
ConfidenceSurvey surveyConfidence(const Mesh& mesh, const SparseWeights& weights, std::span<const float> confidence,
                                  int joint_count);

} // namespace skincells::metrics
