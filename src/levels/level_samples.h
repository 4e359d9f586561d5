// Where the surface of level 0 is on the surface of a simplified level.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::levels {

// A level as it lies in level 0: its vertices are vertices of level 0.
struct LevelShape {
  const Mesh* original = nullptr;      // level 0, welded
  std::vector<std::uint32_t> survivor; // by vertex of level 0: the one it collapsed onto, or itself
  std::vector<std::uint32_t> vertices; // of the level: which one of level 0, rising
  std::vector<Triangle> triangles;     // of the level, over its own vertices

  Vec3d position(std::size_t level_vertex) const { return toDouble(original->positions[vertices[level_vertex]]); }
  Mesh mesh() const; // of the level

  // Sets vertices and triangles to those of a level whose positions all occur in level 0. Returns for each vertex of
  // `level` which vertex of the shape it is.
  std::vector<std::uint32_t> take(const Mesh& level);
};

// A vertex of level 0 and its place on the level in bind pose.
struct LevelSample {
  std::uint32_t vertex = 0;       // of level 0
  std::uint32_t triangle = 0;     // of the level
  std::array<double, 3> shares{}; // of the triangle's corners, sum 1
  double weight = 0;              // share of the surface that it stands for
};

// Samples of level 0, all of its vertices or an even choice of about `most`, and in any case all vertices of the level.
// Places are found by walking over the level from where a vertex collapsed to, so that layers of cloth are not mixed
// up. Weights are shares of level 0's area, those of the chosen samples, and for vertices of the level of the level's
// area, too: both surfaces count alike. Vertices of parts that the level does not have are left out.
std::vector<LevelSample> sampleLevel(const LevelShape& shape, std::size_t most);

} // namespace skincells::levels
