// Rigid-looking parts that bend: plates, helmets, swords, buttons.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/welded_surface.h"
#include "skincells/character.h"

namespace skincells::metrics {

// A connected part looks rigid if it has less than a tenth of the surface, is at least 3 % of the diagonal large, and
// none of the joints lies in its box: nothing in it could be a hinge. By island of the surface.
std::vector<bool> rigidLookingParts(const WeldedSurface& surface, double diagonal, std::span<const Vec3d> joints);

// The places of the joints that carry weight.
std::vector<Vec3d> weightedJointPlaces(const Skeleton& skeleton, const SparseWeights& weights);

// Measures from pose to pose. A part that looks rigid bends in a pose where two of its outermost points are nearer to
// or farther from each other than in the bind pose by more than a tenth of its size and 1 % of the diagonal.
class BendMeter {
public:
  // trimmed: trimmedBounds of the mesh. The surface must outlive the meter.
  BendMeter(const WeldedSurface& surface, const Box& trimmed, std::span<const Vec3d> joints);

  // Adds one pose; `posed` are the skinned positions of all vertices.
  void add(std::span<const Vec3f> posed);

  // The mean over the poses so far, in % of the area of the mesh.
  double bentPercent() const { return poses_ > 0 && total_area_ > 0 ? 100 * bent_area_ / (total_area_ * poses_) : 0; }
  // A vertex of the part that bent the most; false if none did.
  bool bentVertex(std::uint32_t& vertex) const;

private:
  struct Part {
    double area = 0, bent = 0, tolerance = 0;
    std::vector<std::uint32_t> outermost; // as stored, not welded
    std::vector<double> distances;        // of their pairs
  };
  std::vector<Part> parts_;
  double total_area_ = 0, bent_area_ = 0;
  int poses_ = 0;
};

} // namespace skincells::metrics
