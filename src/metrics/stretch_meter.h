// How much edges stretch from pose to pose.
#pragma once

#include <span>
#include <vector>

#include "metrics/samples.h"
#include "metrics/welded_surface.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::metrics {

// Stretch is |ln| of the ratio of an edge's length to that in the bind pose; 0 for edges without length.
class StretchMeter {
public:
  explicit StretchMeter(const WeldedSurface& surface); // which must outlive the meter

  void add(std::span<const Vec3f> welded_posed);
  const Samples& samples() const { return samples_; }         // of all edges in all poses so far
  std::span<const float> squared() const { return squared_; } // by edge: sum over poses

private:
  const WeldedSurface& surface_;
  std::vector<double> inverse_; // by edge: 1 / the squared length in the bind pose; 0: it has none
  Samples samples_;
  std::vector<float> squared_;
};

// The root of the mean squared stretch over all poses; less work than shapeStatistics. weights: one row per vertex of
// the mesh of the surface.
double stretchRms(const Mesh& mesh, const WeldedSurface& surface, const SparseWeights& weights,
                  const std::vector<Pose>& poses);

} // namespace skincells::metrics
