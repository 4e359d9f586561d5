// Weights of one surface interpolated at points on it, and carried between a mesh and its simplification.
#pragma once

#include <cstdint>
#include <span>

#include "mesh/ray_query.h"
#include "mesh/simplify.h"
#include "skincells/weights.h"

namespace skincells::weights {

// Writes the rows of the three corners around a point, each scaled by its share, one after the other: 3 * slots pairs.
void cornerRows(const Mesh& surface, const SparseWeights& weights, const mesh::RayQuery::Hit& point,
                std::span<std::uint16_t> joints, std::span<float> values);

// The rows of `weights` (one per vertex of `surface`) interpolated at points on it, at most `slots` joints each.
SparseWeights interpolateRows(const Mesh& surface, const SparseWeights& weights,
                              std::span<const mesh::RayQuery::Hit> points, int slots);

// From the simplified mesh to the mesh it was made from: interpolates the rows of `weights` (one per vertex of
// simple.mesh) at the closest point of the simplified surface, with as many slots per row. If the simplified mesh has
// no triangle, each vertex takes the row of its cluster. positions: those that were clustered.
SparseWeights transferWeights(const mesh::Clustered& simple, const SparseWeights& weights,
                              std::span<const Vec3f> positions);

// To the simplified mesh: the mean row of each cluster's members, with as many slots per row.
SparseWeights averagedWeights(const mesh::Clustered& simple, const SparseWeights& weights);

} // namespace skincells::weights
