// Samples of the surface of level 0 and their places on a simplified level.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::levels {

// A level as a subset of level 0: its vertices are vertices of level 0.
struct LevelShape {
  const Mesh* original = nullptr;      // level 0, welded
  std::vector<std::uint32_t> survivor; // by vertex of level 0: the vertex it collapsed onto, or itself
  std::vector<std::uint32_t> vertices; // by vertex of the level: vertex of level 0, ascending
  std::vector<Triangle> triangles;     // over the vertices of the level

  Vec3d position(std::size_t level_vertex) const { return toDouble(original->positions[vertices[level_vertex]]); }
  Mesh mesh() const; // the level

  // Sets vertices and triangles to those of a level whose positions all occur in level 0. Returns for each vertex of
  // `level` the vertex of the shape.
  std::vector<std::uint32_t> take(const Mesh& level);
};

// A vertex of level 0 and its place on the level in bind pose.
struct LevelSample {
  std::uint32_t vertex = 0;       // vertex of level 0
  std::uint32_t triangle = 0;     // triangle of the level
  std::array<double, 3> shares{}; // barycentric coordinates in the triangle
  double weight = 0;              // share of the surface that the sample represents
};

// Samples level 0 at all of its vertices, or at about `most` evenly chosen ones plus all vertices of the level. Places
// are found by walking over the level from the vertex that a sample collapsed onto, so that layers of cloth are not
// confused. The weight of a sample is its share of level 0's area, plus, for vertices of the level, their share of the
// level's area: both surfaces count equally. Vertices of parts that the level does not have are skipped.
std::vector<LevelSample> sampleLevel(const LevelShape& shape, std::size_t most);

} // namespace skincells::levels
