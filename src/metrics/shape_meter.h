// Measures how a mesh changes shape from pose to pose.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/stretch_meter.h"
#include "metrics/welded_surface.h"
#include "skincells/metrics.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::metrics {

// Edges, triangles and volumes are those of the mesh welded by position.
class ShapeMeter {
public:
  // weights: one normalized row per vertex. Both must outlive the meter.
  ShapeMeter(const WeldedSurface& surface, const SparseWeights& weights);

  // Adds one pose; `posed` are the skinned positions of all vertices.
  void add(const Pose& pose, std::span<const Vec3f> posed);
  // Over all poses so far.
  ShapeStatistics statistics() const;

  // Where it happened. Vertices are those of the mesh as given.
  std::span<const float> squaredStretch() const { return stretch_.squared(); } // by edge: sum over poses
  std::span<const std::uint32_t> flips() const { return flips_; }              // by triangle: number of poses
  std::uint32_t tornVertex() const { return torn_vertex_; } // at the widest gap; meaningless without one

private:
  struct ClosedPart {
    std::vector<std::uint32_t> triangles;
    double volume = 0;
  };
  // The linear part of a transform: its columns, each padded to four numbers.
  struct Turn {
    float m[12] = {};
  };
  struct BindNormal {
    Vec3d unit;
    double least = 0; // the squared length of the area normal below which the triangle has collapsed
  };
  void findClosedParts();
  void findSeams();
  void blendTurns(const Pose& pose);
  bool isFlipped(std::size_t t) const;
  void addFlips(const Pose& pose);
  void addVolumes();
  void addTears(std::span<const Vec3f> posed);
  double volumeOf(const ClosedPart& part, std::span<const Vec3f> welded_positions) const;

  const WeldedSurface& surface_;
  const SparseWeights& weights_;
  double diagonal_ = 0;
  std::vector<BindNormal> bind_normals_; // of the triangles
  std::vector<ClosedPart> closed_parts_;
  // By position: vertices that share it but have different rows. Only these can separate.
  std::vector<std::vector<std::uint32_t>> seams_;

  // Of the pose that was added last.
  std::vector<Vec3f> posed_;      // the welded vertices
  std::vector<Turn> joint_turns_; // by joint
  std::vector<Turn> turns_;       // by welded vertex: blended

  StretchMeter stretch_;
  std::vector<std::uint32_t> flips_;
  std::uint64_t triangles_seen_ = 0;
  double volume_change_sum_ = 0;
  std::uint64_t volumes_seen_ = 0;
  double widest_gap_ = 0;
  std::uint32_t torn_vertex_ = 0;
};

} // namespace skincells::metrics
