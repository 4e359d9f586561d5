// Signed distances to a surface that moves: a tree of boxes whose branches are fixed and whose boxes follow the
// vertices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::mesh {

// What does not change when the vertices move.
class SurfaceTree {
public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  // welded: at rest. Triangles without three different corners are ignored.
  explicit SurfaceTree(const Mesh& welded);

  std::size_t vertexCount() const { return fan_begin_.size() - 1; }
  std::span<const Triangle> triangles() const { return triangles_; }

private:
  friend class MovingSurface;
  // A leaf has triangles order_[first .. first + count). The children of an inner node (count 0) are the next node and
  // the node `first`.
  struct Node {
    std::uint32_t first = 0, count = 0;
  };
  void build(std::span<const Vec3d> centers, std::size_t begin, std::size_t end);
  void findNeighbors();

  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> neighbor_;        // 3 per triangle: across the edge from corner k to k + 1; kNone: open
  std::vector<std::uint32_t> fan_begin_, fan_; // triangles around each vertex
  std::vector<char> on_border_;                // by vertex
};

// A point's place beside a surface.
struct SurfacePlace {
  std::uint32_t triangle = SurfaceTree::kNone; // kNone: nothing within reach
  Vec3d point;                                 // the closest point
  double distance = 0;                         // negative behind the surface
  Vec3d gradient;                              // of the distance; unit length

  bool found() const { return triangle != SurfaceTree::kNone; }
};

// The surface with its vertices somewhere. Queries are const and may run in many threads at once.
class MovingSurface {
public:
  // The tree must outlive the object. move() comes before any query.
  explicit MovingSurface(const SurfaceTree& tree) : tree_(tree) {}

  // positions: one per vertex, finite.
  void move(std::vector<Vec3d> positions);

  // The closest point within `reach` on triangles that `accept(triangle)` accepts. The sign is that of the angle-
  // weighted normal there (Baerentzen and Aanaes 2005), which is exact for closed surfaces; beyond a border, the
  // distance is positive. Ties: the lowest triangle. first: a triangle that is likely to be near, or kNone.
  template <class Accept>
  SurfacePlace nearest(const Vec3d& p, double reach, std::uint32_t first, const Accept& accept) const {
    return nearestOf(
        p, reach, first,
        {[](const void* f, std::uint32_t t) { return bool((*static_cast<const Accept*>(f))(t)); }, &accept});
  }
  SurfacePlace nearest(const Vec3d& p, double reach, std::uint32_t first = SurfaceTree::kNone) const {
    return nearestOf(p, reach, first, {});
  }

  const Vec3d& normal(std::uint32_t triangle) const { return normals_[triangle]; }
  std::span<const Vec3d> positions() const { return positions_; }

private:
  struct Filter {
    bool (*accept)(const void* context, std::uint32_t triangle) = nullptr;
    const void* context = nullptr;
  };
  struct Limits {
    Vec3d lo, hi;
  };
  struct Search;
  SurfacePlace nearestOf(const Vec3d& p, double reach, std::uint32_t first, const Filter& filter) const;
  void visit(std::uint32_t triangle, Search& search) const;
  SurfacePlace signedPlace(const Search& search) const;
  Vec3d cornerNormal(std::uint32_t vertex) const;

  const SurfaceTree& tree_;
  std::vector<Vec3d> positions_, normals_; // normals: of triangles, zero without area
  std::vector<Limits> limits_;             // by node
};

} // namespace skincells::mesh
