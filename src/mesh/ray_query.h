// Ray casts against a mesh and closest points on it, with Embree.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "skincells/mesh.h"

namespace skincells::mesh {

// A spatial index of the mesh's triangles. Queries are const, may run in many threads at once, and depend only on the
// mesh. The mesh may be empty, flat or contain degenerate triangles; a triangle without area is never hit by a ray.
// Embree computes in single precision, so the mesh is scaled to unit size internally.
class RayQuery {
public:
  explicit RayQuery(const Mesh& mesh);
  ~RayQuery();
  RayQuery(RayQuery&&) noexcept;
  RayQuery& operator=(RayQuery&&) noexcept;

  struct Hit {
    std::uint32_t triangle = 0;
    double distance = 0; // from the query point, in the mesh's unit
    Vec3d point;
  };

  // Whether the open segment meets a triangle for which `accept(triangle)` is true.
  template <class Accept> bool anyHit(const Vec3d& from, const Vec3d& to, const Accept& accept) const {
    return anyHitOf(
        from, to, {[](const void* f, std::uint32_t t) { return bool((*static_cast<const Accept*>(f))(t)); }, &accept});
  }
  bool anyHit(const Vec3d& from, const Vec3d& to) const {
    return anyHit(from, to, [](std::uint32_t) { return true; });
  }
  // The same, for a segment that starts at a vertex of the mesh: triangles that use the vertex do not count.
  bool anyHitFromVertex(std::uint32_t vertex, const Vec3d& to) const;

  // The first triangle along a ray (direction of any length but zero). If several are hit at the same place, the one
  // with the lowest index (a ray through a shared edge or corner may miss some of them).
  std::optional<Hit> firstHit(const Vec3d& from, const Vec3d& direction) const;

  // Share of `ray_count` fixed directions, spread evenly over the sphere, in which a ray from the point meets the mesh,
  // 0 .. 1: how far the point is inside. Works for open meshes, and the orientation of triangles does not matter.
  double enclosure(const Vec3d& point, int ray_count = 32) const;

  // The closest point on the mesh; of several triangles at the same distance, the lowest index. Empty if there is no
  // triangle. `near`: a triangle that is likely to be close, such as that of a neighboring point; the search is then
  // faster, with the same result.
  static constexpr std::uint32_t kNoTriangle = 0xFFFFFFFFU;
  std::optional<Hit> closestPoint(const Vec3d& point, std::uint32_t near = kNoTriangle) const;

private:
  struct Filter {
    bool (*accept)(const void* context, std::uint32_t triangle);
    const void* context;
  };
  struct State;
  bool anyHitOf(const Vec3d& from, const Vec3d& to, const Filter& filter) const;

  std::unique_ptr<State> state_;
};

} // namespace skincells::mesh
