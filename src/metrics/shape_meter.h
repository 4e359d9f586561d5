// Measures how a mesh changes shape from pose to pose.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/edges.h"
#include "metrics/samples.h"
#include "skincells/mesh.h"
#include "skincells/metrics.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::metrics {

// Holds what does not change between poses: welded mesh, edges, closed parts, seams.
// Edges, triangles and volumes are those of the mesh welded by position; a welded vertex moves with its first vertex.
class ShapeMeter {
public:
  // weights: one normalized row per vertex; must outlive the meter.
  ShapeMeter(const Mesh& mesh, const SparseWeights& weights);

  // Adds one pose; `posed` are the skinned positions of all vertices.
  void add(const Pose& pose, std::span<const Vec3f> posed);
  // Over all poses so far.
  ShapeStatistics statistics();

  // Where it happened. Vertices are those of the mesh as given.
  std::span<const mesh::Edge> edges() const { return edges_; }               // of the welded mesh
  std::span<const float> squaredStretch() const { return squared_stretch_; } // by edge: sum over poses
  std::span<const Triangle> triangles() const { return welded_.triangles; }
  std::span<const std::uint32_t> flips() const { return flips_; } // by triangle: number of poses
  std::uint32_t vertexOf(std::uint32_t welded) const { return weld_.first_vertex[welded]; }
  std::uint32_t tornVertex() const { return torn_vertex_; } // at the widest gap; meaningless without one

private:
  struct ClosedPart {
    std::vector<std::uint32_t> triangles;
    double volume = 0;
  };
  void findClosedParts();
  void findSeams(const Mesh& mesh);
  void addStretch(std::span<const Vec3f> posed);
  void addFlips(const Pose& pose, std::span<const Vec3f> posed);
  void addVolumes(std::span<const Vec3f> posed);
  void addTears(std::span<const Vec3f> posed);
  double volumeOf(const ClosedPart& part, std::span<const Vec3f> welded_positions) const;

  const SparseWeights& weights_;
  Weld weld_;
  Mesh welded_;
  double diagonal_ = 0;
  std::vector<mesh::Edge> edges_;
  std::vector<Vec3d> bind_normals_; // area normals of the welded triangles
  std::vector<ClosedPart> closed_parts_;
  // By position: vertices that share it but have different rows. Only these can separate.
  std::vector<std::vector<std::uint32_t>> seams_;

  std::vector<Vec3f> welded_posed_;
  std::vector<Affine> welded_turns_; // linear parts, of the pose that was added last
  Samples stretch_;
  std::vector<float> squared_stretch_;
  std::vector<std::uint32_t> flips_;
  std::uint64_t triangles_seen_ = 0;
  double volume_change_sum_ = 0;
  std::uint64_t volumes_seen_ = 0;
  double widest_gap_ = 0;
  std::uint32_t torn_vertex_ = 0;
};

} // namespace skincells::metrics
