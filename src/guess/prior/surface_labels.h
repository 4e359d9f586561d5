// Which joints are near a vertex along the surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/surface_measure.h"
#include "skincells/mesh.h"

namespace skincells::guess {

inline constexpr int kLabels = 8; // nearest joints that each vertex remembers

struct SurfaceLabel {
  int joint = -1; // -1: fewer joints were reached
  double distance = 0;
};

// The vertices from which distances of a joint are measured: of the connected patches in which it is the owner, the one
// with the largest sum of `mass`.
// owner: per vertex, a joint or -1. mass: per vertex, >= 0.
std::vector<std::uint32_t> mainPatchVertices(std::span<const mesh::EdgeWeight> edges, std::span<const int> owner,
                                             std::span<const double> mass);

// For every vertex the kLabels nearest joints, nearest first, by the length of paths along edges. A joint is at
// distance 0 on its main patch. Separate islands are linked where they are close, at a price. positions: in cm of a
// character of mesh::kCharacterSize. seeds: ascending vertices, each labeled with its owner.
std::vector<SurfaceLabel> spreadLabels(std::span<const Vec3f> positions, std::span<const mesh::EdgeWeight> edges,
                                       const Islands& islands, std::span<const std::uint32_t> seeds,
                                       std::span<const int> owner);

} // namespace skincells::guess
