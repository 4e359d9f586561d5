// Fewer triangles for a mesh that will be bent: quadric error metrics (Garland and Heckbert 1997) summed over several
// shapes of it (Mohr and Gleicher 2003, "Deformation sensitive decimation"), so that detail stays where poses need it.
// Vertices collapse onto one another and never move, which leaves all their attributes valid.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::mesh {

enum class Seams {
  Keep, // vertices of a seam collapse only along it, so that textures and hard edges stay whole
  // A seam inside a section may be given up, at a price: where keeping it would cost the shape more. Meshes that are
  // all seam need it, and those of which only some parts are, or the parts without seams would pay for the others.
  Cross
};

// What is left: triangle i is triangle `source[i]` of the mesh with other corners, in the order of the mesh.
struct Decimated {
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> source;
  std::vector<std::uint32_t> survivor; // by welded vertex: the one that it ended up at, mostly by several collapses
};

class Decimator {
public:
  // shapes: the positions of all vertices in one or more shapes, the first of them at rest; vertices that are welded
  // move together. Degenerate triangles are gone from the start.
  Decimator(const Mesh& mesh, const Weld& weld, std::span<const std::vector<Vec3f>> shapes);

  // Collapses edges, those that cost least first, until no more than so many triangles are left, or none can be given
  // up without tearing the surface, turning a triangle over or leaving the shape by too much. Calls with falling counts
  // continue where the last ended. Seams are given up only once keeping them would cost the shape.
  void reduceTo(std::size_t triangle_count, Seams seams = Seams::Keep);

  std::size_t triangleCount() const { return alive_count_; }
  std::size_t crossedSeams() const { return crossed_count_; } // collapses that gave up a seam
  Decimated result() const;

private:
  using Quadric = std::array<double, 10>; // x^T A x + 2 b x + c: A by its upper half, b, c
  struct Candidate {
    double cost;
    std::uint32_t from, to;
    std::uint32_t stamp; // of both vertices together, when it was made
    Seams seams;
  };
  enum class Outcome { Done, Refused, SeamInTheWay };
  struct Later {
    bool operator()(const Candidate& a, const Candidate& b) const;
  };

  std::array<std::uint32_t, 3> weldedCorners(std::uint32_t triangle) const;
  bool has(std::uint32_t triangle, std::uint32_t welded) const;
  std::uint32_t opposite(std::uint32_t triangle, std::uint32_t a, std::uint32_t b) const; // its corner beside the edge
  // Of the triangles at an edge: how many sides the surface has there. Sheets that lie on one another, as the front and
  // the back of a wing, count as one and collapse together.
  std::size_t sheetSides(std::span<const std::uint32_t> triangles, std::uint32_t a, std::uint32_t b) const;
  void addQuadrics(std::uint32_t triangle);
  void noteFacets();
  void noteBorders();
  double cost(std::uint32_t from, std::uint32_t to) const;
  std::vector<std::uint32_t> neighbors(std::uint32_t welded) const;
  std::vector<std::uint32_t> trianglesOf(std::uint32_t a, std::uint32_t b) const;
  bool onPlainRidge(std::uint32_t welded) const; // not where ridges meet or end
  bool topologyAllows(std::uint32_t from, std::uint32_t to, std::span<const std::uint32_t> shared) const;
  bool shapeAllows(std::uint32_t from, std::uint32_t to) const;
  // New corner vertices for the triangles of `from`; empty when a seam forbids it.
  std::vector<std::uint32_t> cornersAfter(std::uint32_t from, std::uint32_t to, std::span<const std::uint32_t> shared,
                                          Seams seams) const;
  std::uint32_t similarCorner(std::uint32_t triangle, std::uint32_t to) const;
  Outcome collapse(std::uint32_t from, std::uint32_t to, Seams seams);
  double costAcrossSeam(std::uint32_t from, double cost) const;
  void push(const Candidate& candidate);
  bool isCurrent(const Candidate& candidate) const;
  Vec3d normalOf(std::uint32_t triangle) const;
  void pushEdges(std::uint32_t welded);
  void pushAll();
  void reduceWithin(std::size_t triangle_count, Seams seams, double largest_error);
  double errorOf(const Candidate& candidate) const;

  std::vector<std::uint32_t> welded_of_vertex_, section_of_vertex_;
  std::vector<std::vector<Vec3d>> shapes_; // by shape and welded vertex
  std::vector<Triangle> corners_;          // by triangle: vertices
  std::vector<bool> alive_;
  std::size_t alive_count_ = 0, crossed_count_ = 0;
  double diagonal_ = 0, seam_price_ = 0;           // the price is for each unit of area
  std::vector<std::vector<std::uint32_t>> around_; // by welded vertex: triangles, dead ones among them
  std::vector<Quadric> quadrics_;                  // by shape and welded vertex
  std::vector<double> mass_;                       // by welded vertex: weight of its quadrics, in all shapes
  std::vector<bool> border_, ridge_;               // by welded vertex: on an open edge, on one of three or more sheets
  std::vector<bool> faceted_; // by welded vertex: nearly every triangle had a vertex of its own, as in flat shading
  std::vector<std::uint32_t> stamp_; // by welded vertex: how often its quadrics have changed
  std::vector<std::pair<std::uint32_t, std::uint32_t>> collapses_; // from, to; in the order they happened
  std::vector<Candidate> heap_;
};

} // namespace skincells::mesh
