#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "base/try.h"
#include "garment/fitting.h"
#include "guess/symmetry.h"
#include "mesh/point_tree.h"
#include "metrics/fill_unweighted.h"
#include "rig/motion/joint_motions.h"
#include "skincells/garment.h"
#include "weights/rows_edit.h"

namespace skincells {
namespace {

// For each vertex the one nearest to its mirror image; itself if that is not near.
std::vector<std::uint32_t> mirrorImages(const Mesh& mesh, const guess::Symmetry& symmetry) {
  std::vector<std::uint32_t> all(mesh.positions.size());
  for (std::uint32_t v = 0; v < all.size(); ++v) all[v] = v;
  const mesh::PointTree tree(mesh.positions, all);
  const double limit = 0.01 * mesh.bounds().diagonal();
  for (std::uint32_t v = 0; v < all.size(); ++v) {
    const Vec3d image = symmetry.mirrored(toDouble(mesh.positions[v]));
    const std::uint32_t other = tree.nearest(image);
    if (length(toDouble(mesh.positions[other]) - image) <= limit) all[v] = other;
  }
  return all;
}

} // namespace

Result<GarmentTrial> GarmentTrial::make(const Character& garment, const Body& body,
                                        const GarmentOptions& garment_options, const TrialOptions& options) {
  SKINCELLS_TRY(fitting, garment::fitOn(garment, body, garment_options, {}, 4));
  SKINCELLS_TRY(motions, rig::jointMotions(garment.skeleton, garment.clip_poses, options.rom));
  GarmentTrial trial;
  trial.mesh_ = garment.mesh;
  trial.body_ = std::move(fitting.body);
  trial.under_ = std::move(fitting.under);
  trial.own_ = fitting.cloth.own;
  garment::calmChains(fitting.cloth.own, motions);
  trial.poses_ = rig::posesWithin(garment.skeleton, motions, options.poses, options.seed);
  trial.motions_ = std::move(motions);
  if (fitting.motion)
    parallelChunks(trial.poses_.size(), 1,
                   [&](std::size_t p, std::size_t, std::size_t) { fitting.motion->push(trial.poses_[p]); });

  const guess::GuessScene scene(fitting.welded);
  const Skeleton placed = scene.place(garment.skeleton);
  if (auto symmetry = guess::findSymmetry(scene, placed, fitting.cloth.moving)) {
    symmetry->offset = symmetry->offset / scene.scale + dot(symmetry->normal, scene.offset);
    trial.mirror_ = mirrorImages(garment.mesh, *symmetry);
    trial.twin_ = symmetry->twin;
  }
  return trial;
}

GarmentQuality GarmentTrial::measure(const SparseWeights& weights) const {
  SparseWeights rows = weights;
  canonicalize(rows, rows.slots);
  metrics::fillUnweighted(mesh_.positions, rows);
  GarmentQuality out;
  out.penetration = measurePenetration(mesh_, rows, body_.mesh, body_.weights, under_, poses_);
  out.stretch_p99 = shapeStatistics(mesh_, rows, poses_).stretch_p99;
  for (std::size_t v = 0; v < mirror_.size(); ++v) {
    SparseWeights image = gatherRows(rows, std::array{mirror_[v]});
    for (std::uint16_t& j : image.joints)
      if (twin_[j] >= 0) j = static_cast<std::uint16_t>(twin_[j]);
    out.asymmetry +=
        weights::halfL1(weights::rowOf(rows, v), weights::rowOf(image, 0)) / static_cast<double>(mirror_.size());
  }
  return out;
}

} // namespace skincells
