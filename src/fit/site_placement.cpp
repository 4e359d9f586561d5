#include "fit/site_placement.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fit/tuning.h"

namespace skincells::fit {
namespace {

struct OwnedPoint {
  Vec3d position; // in the unit box
  double weight = 0;
};

constexpr double kNearer = 0.999; // squared: of sites that are equally near but for rounding, the first counts

// Lloyd's iteration, starting from the given sites.
void relax(std::vector<Vec3d>& sites, std::span<const OwnedPoint> points) {
  for (int round = 0; round < kPlacementRounds; ++round) {
    std::vector<Vec3d> sum(sites.size());
    std::vector<double> mass(sites.size());
    for (const OwnedPoint& p : points) {
      std::size_t nearest = 0;
      double least = INFINITY;
      for (std::size_t s = 0; s < sites.size(); ++s) {
        const Vec3d offset = p.position - sites[s];
        if (dot(offset, offset) >= least * kNearer) continue;
        least = dot(offset, offset);
        nearest = s;
      }
      sum[nearest] += p.position * p.weight;
      mass[nearest] += p.weight;
    }
    for (std::size_t s = 0; s < sites.size(); ++s)
      if (mass[s] > 0) sites[s] = sum[s] * (1 / mass[s]);
  }
}

// From 0 to 1 around kOwnedWeight: a step there would let rounding decide about all points of a rigid part.
double ownership(double weight) {
  return std::clamp((weight - kOwnedWeight) / (2 * kOwnedSpread) + 0.5, 0.0, 1.0);
}

std::vector<std::vector<OwnedPoint>> ownedPoints(const FieldParameters& field, std::span<const Vec3f> points,
                                                 const SparseWeights& target) {
  std::vector<std::vector<OwnedPoint>> owned(field.layout.joints());
  for (std::size_t v = 0; v < points.size(); ++v)
    for (std::size_t k = 0; k < target.weightRow(v).size(); ++k)
      if (const double w = static_cast<double>(target.weightRow(v)[k]), mass = w * ownership(w); mass > 0)
        owned[target.jointRow(v)[k]].push_back({field.toUnit(toDouble(points[v])), mass});
  return owned;
}

} // namespace

void placeSites(FieldParameters& field, std::span<const Vec3f> points, const SparseWeights& target,
                const FieldMirror* mirror) {
  const auto owned = ownedPoints(field, points, target);
  const std::size_t count = field.layout.sitesPerJoint();
  for (std::size_t j = 0; j < owned.size(); ++j) {
    float* center = &field.centers()[3 * j * count];
    std::vector<Vec3d> sites;
    for (std::size_t s = 0; s < count; ++s) sites.push_back({center[3 * s], center[3 * s + 1], center[3 * s + 2]});
    const std::vector<Vec3d> start = sites;
    relax(sites, owned[j]);
    for (std::size_t s = 0; s < count; ++s) {
      const Vec3d site = sites[s] + (start[s] - sites[s]) * kPlacementPull;
      for (const double c : {site.x, site.y, site.z}) *center++ = static_cast<float>(c);
    }
  }
  if (mirror != nullptr) mirror->apply(field);
}

} // namespace skincells::fit
