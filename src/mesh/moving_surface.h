// Signed distances to a surface that moves: a tree of boxes whose branches are fixed and whose boxes follow the
// vertices.
#pragma once

#include <array>
#include <cmath>
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
  std::vector<std::uint32_t> order_, place_in_order_;
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

  // The closest point within `reach`. The sign is that of the angle-weighted normal there (Baerentzen and Aanaes 2005),
  // which is exact for closed surfaces; beyond a border, the distance is positive. Where a posed surface passes through
  // itself, the closest point may face the wrong way: a negative sign must agree with the winding number. Ties: the
  // lowest triangle. first: a triangle that is likely to be near, or kNone.
  SurfacePlace nearest(const Vec3d& p, double reach, std::uint32_t first = SurfaceTree::kNone) const;
  // The same on triangles that `accept(triangle)` accepts. The sign is that of the normal alone.
  template <class Accept>
  SurfacePlace nearest(const Vec3d& p, double reach, std::uint32_t first, const Accept& accept) const {
    return nearestOf(
        p, reach, first,
        {[](const void* f, std::uint32_t t) { return bool((*static_cast<const Accept*>(f))(t)); }, &accept});
  }

  // How often the surface encloses p: 1 inside and 0 outside of a closed surface, in between for open ones. Far
  // triangles are approximated (Barill et al. 2018); the error is below 0.1.
  double windingNumber(const Vec3d& p) const;

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
  // The triangles of a node, seen from afar.
  struct Dipole {
    Vec3d center, normal; // normal: the sum over triangles, as long as their area
    double radius = 0;    // all corners are this near to the center
  };
  // A triangle as searches see it, in one place of memory.
  struct Slot {
    std::array<Vec3d, 3> corners;
    Vec3d normal;
  };
  struct Search;
  SurfacePlace nearestOf(const Vec3d& p, double reach, std::uint32_t first, const Filter& filter) const;
  void visit(std::uint32_t slot, Search& search) const;
  SurfacePlace signedPlace(const Search& search) const;
  Vec3d cornerNormal(std::uint32_t vertex) const;
  void placeDipoles();

  const SurfaceTree& tree_;
  std::vector<Vec3d> positions_, normals_; // normals: of triangles, zero without area
  std::vector<Slot> slots_;                // in the order of the tree
  std::vector<Limits> limits_;             // by node
  std::vector<Dipole> dipoles_;            // by node
};

// A measured point. Distances change no faster than points move, so that most points near one that is far outside need
// no query.
class DistanceAnchor {
public:
  void set(const Vec3d& p, double distance) {
    point_ = p;
    distance_ = distance;
  }
  // The distance at p is at least this.
  double bound(const Vec3d& p) const { return distance_ - length(p - point_); }

private:
  Vec3d point_;
  double distance_ = -INFINITY;
};

} // namespace skincells::mesh
