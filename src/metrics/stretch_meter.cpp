#include "metrics/stretch_meter.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "deform/lbs.h"
#include "metrics/prepared_skin.h"

namespace skincells::metrics {
namespace {

constexpr std::size_t kChunk = 4096;
constexpr double kShortestRatio = 1e-12; // smallest ratio of squared lengths; keeps the logarithm finite

double squaredDistance(const Vec3f& a, const Vec3f& b) {
  const Vec3d offset = toDouble(a) - toDouble(b);
  return dot(offset, offset);
}

} // namespace

StretchMeter::StretchMeter(const WeldedSurface& surface) : surface_(surface), squared_(surface.edges.size()) {
  inverse_.reserve(surface.edges.size());
  for (const mesh::Edge& e : surface.edges) {
    const double squared = squaredDistance(surface.mesh.positions[e.a], surface.mesh.positions[e.b]);
    inverse_.push_back(squared > 0 ? 1 / squared : 0);
  }
}

void StretchMeter::add(std::span<const Vec3f> posed) {
  const std::span<float> out = samples_.extend(inverse_.size());
  parallelChunks(inverse_.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const mesh::Edge& e = surface_.edges[i];
      const double ratio = inverse_[i] > 0 ? squaredDistance(posed[e.a], posed[e.b]) * inverse_[i] : 1;
      // Single precision is enough for a logarithm that is kept as such.
      out[i] = 0.5F * std::fabs(std::log(static_cast<float>(std::max(ratio, kShortestRatio))));
      squared_[i] += out[i] * out[i];
    }
  });
}

double stretchRms(const Mesh& mesh, const WeldedSurface& surface, const SparseWeights& weights,
                  const std::vector<Pose>& poses) {
  SKINCELLS_ASSERT(weights.vertexCount() == mesh.positions.size());
  const PreparedSkin skin(mesh, weights);
  StretchMeter meter(surface);
  std::vector<Vec3f> posed(mesh.positions.size()), welded_posed(surface.mesh.positions.size());
  for (const Pose& pose : poses) {
    deform::skin(mesh.positions, skin.weights, pose, posed);
    surface.gather(posed, welded_posed);
    meter.add(welded_posed);
  }
  return meter.samples().rms();
}

} // namespace skincells::metrics
