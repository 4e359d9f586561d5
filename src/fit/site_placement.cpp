#include "fit/site_placement.h"

#include <vector>

namespace skincells::fit {
namespace {

struct FleshPoint {
  Vec3d position; // in the unit box
  double weight = 0;
};

// Lloyd's iteration, from where the sites are.
void settle(std::vector<Vec3d>& sites, std::span<const FleshPoint> flesh) {
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Vec3d> sum(sites.size());
    std::vector<double> mass(sites.size());
    for (const FleshPoint& f : flesh) {
      std::size_t nearest = 0;
      double least = INFINITY;
      for (std::size_t s = 0; s < sites.size(); ++s) {
        const Vec3d way = f.position - sites[s];
        if (dot(way, way) < least) least = dot(way, way), nearest = s;
      }
      sum[nearest] += f.position * f.weight;
      mass[nearest] += f.weight;
    }
    for (std::size_t s = 0; s < sites.size(); ++s)
      if (mass[s] > 0) sites[s] = sum[s] * (1 / mass[s]);
  }
}

std::vector<std::vector<FleshPoint>> fleshOfJoints(const FieldParameters& field, std::span<const Vec3f> points,
                                                   const SparseWeights& target) {
  constexpr float kOwn = 0.3F; // a joint holds a point from this weight on
  std::vector<std::vector<FleshPoint>> flesh(field.layout.joints());
  for (std::size_t v = 0; v < points.size(); ++v)
    for (std::size_t k = 0; k < target.weightRow(v).size(); ++k)
      if (const float w = target.weightRow(v)[k]; w > kOwn)
        flesh[target.jointRow(v)[k]].push_back({field.toUnit(toDouble(points[v])), w});
  return flesh;
}

} // namespace

void placeSites(FieldParameters& field, std::span<const Vec3f> points, const SparseWeights& target,
                const FieldMirror* mirror) {
  const auto flesh = fleshOfJoints(field, points, target);
  const std::size_t count = field.layout.sitesPerJoint();
  for (std::size_t j = 0; j < flesh.size(); ++j) {
    float* center = &field.centers()[3 * j * count];
    std::vector<Vec3d> sites;
    for (std::size_t s = 0; s < count; ++s) sites.push_back({center[3 * s], center[3 * s + 1], center[3 * s + 2]});
    settle(sites, flesh[j]);
    for (const Vec3d& site : sites)
      for (const double c : {site.x, site.y, site.z}) *center++ = static_cast<float>(c);
  }
  if (mirror != nullptr) mirror->apply(field);
}

} // namespace skincells::fit
