// Weights from a simplified mesh to the mesh it was made from.
#pragma once

#include <optional>
#include <span>

#include "mesh/ray_query.h"
#include "mesh/simplify.h"
#include "skincells/weights.h"

namespace skincells::binding {

// The rows of a mesh's vertices, at any point of its surface. All arguments must outlive the object.
class SurfaceRows {
public:
  // query: over `mesh`. weights: one row per vertex.
  SurfaceRows(const Mesh& mesh, const mesh::RayQuery& query, const SparseWeights& weights)
      : mesh_(mesh), query_(query), weights_(weights) {}

  // Writes the three corners' rows at the closest point of the surface, each scaled by its share, one after the other:
  // 3 * slots pairs. Returns the distance to that point, or nothing where there are no triangles.
  std::optional<double> at(const Vec3d& point, std::span<std::uint16_t> joints, std::span<float> values) const;

private:
  const Mesh& mesh_;
  const mesh::RayQuery& query_;
  const SparseWeights& weights_;
};

// Interpolates the rows of `weights` (one per vertex of simple.mesh) at the closest point of the simplified surface,
// and keeps as many joints per row. Vertices without a triangle to look at take the row of their cluster. positions:
// those that were clustered.
SparseWeights transferWeights(const mesh::Clustered& simple, const SparseWeights& weights,
                              std::span<const Vec3f> positions);

// The other way: the mean row of each cluster's members, with as many joints per row.
SparseWeights averagedWeights(const mesh::Clustered& simple, const SparseWeights& weights);

} // namespace skincells::binding
