// Simplification of meshes that deform: quadric error metrics (Garland and Heckbert 1997) summed over several shapes of
// the mesh (Mohr and Gleicher 2003, "Deformation sensitive decimation"), so that detail stays where poses need it.
// Vertices collapse onto one another and never move, so all their attributes stay valid.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::mesh {

enum class Seams {
  Keep, // vertices of a seam collapse only along it, so that textures and hard edges stay intact
  // A seam inside a section may be given up, at a cost, if keeping it would cost the shape more. Needed for faceted
  // meshes; otherwise their parts without seams would be over-simplified.
  Cross
};

// The remaining mesh: triangle i is triangle `source[i]` of the input with other corners, in the order of the input.
struct Decimated {
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> source;
  std::vector<std::uint32_t> survivor; // by welded vertex: the vertex it ended up at after all collapses
};

class Decimator {
public:
  // shapes: the positions of all vertices in one or more shapes, the first of them at rest; welded vertices move
  // together. Degenerate triangles are removed at once.
  Decimator(const Mesh& mesh, const Weld& weld, std::span<const std::vector<Vec3f>> shapes);
  ~Decimator();

  // Collapses edges, cheapest first, until at most `triangle_count` triangles are left, or every further collapse would
  // tear the surface, flip a triangle or change the shape too much. A later call with a smaller count continues from
  // the current state. Seams are given up only when keeping them would cost the shape.
  void reduceTo(std::size_t triangle_count, Seams seams = Seams::Keep);

  std::size_t triangleCount() const;
  std::size_t crossedSeams() const; // collapses that gave up a seam
  Decimated result() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace skincells::mesh
