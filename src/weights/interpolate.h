// Weights of one surface interpolated at points on it, and from a simplified mesh to the mesh it was made from.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/ray_query.h"
#include "mesh/simplify.h"
#include "skincells/weights.h"

namespace skincells::weights {

// Barycentric coordinates of a point of the triangle; the first corner alone where the triangle has no area.
std::array<double, 3> cornerShares(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);
// The same for a place on a mesh.
std::array<double, 3> cornerShares(const Mesh& mesh, const mesh::RayQuery::Hit& place);

// The closest place of the surface for each position. The surface has at least one triangle.
std::vector<mesh::RayQuery::Hit> closestPlaces(const Mesh& surface, std::span<const Vec3f> positions);

// Writes the rows of the three corners around a place, each scaled by its share, one after the other: 3 * slots pairs.
void cornerRows(const Mesh& surface, const SparseWeights& weights, const mesh::RayQuery::Hit& place,
                std::span<std::uint16_t> joints, std::span<float> values);

// The rows of `weights` (one per vertex of `surface`) interpolated at places on it, at most `slots` joints each.
SparseWeights interpolateRows(const Mesh& surface, const SparseWeights& weights,
                              std::span<const mesh::RayQuery::Hit> places, int slots);

// Interpolates the rows of `weights` (one per vertex of simple.mesh) at the closest point of the simplified surface,
// and keeps as many joints per row. Without a triangle to look at, vertices take the row of their cluster. positions:
// those that were clustered.
SparseWeights transferWeights(const mesh::Clustered& simple, const SparseWeights& weights,
                              std::span<const Vec3f> positions);

// The other way: the mean row of each cluster's members, with as many joints per row.
SparseWeights averagedWeights(const mesh::Clustered& simple, const SparseWeights& weights);

} // namespace skincells::weights
