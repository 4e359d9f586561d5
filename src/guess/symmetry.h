// The mirror symmetry of a character.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "guess/guess_scene.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::guess {

// A plane, and the joint at the mirror image of each joint.
struct Symmetry : MirrorPlane {
  std::vector<int> twin; // by joint: its mirror image, itself for a joint on the plane, -1: none
  // By vertex of the scene: the point of the surface closest to its mirror image.
  std::vector<std::optional<mesh::RayQuery::Hit>> images;

  Vec3d mirrored(const Vec3d& p) const { return p - normal * (2 * (dot(normal, p) - offset)); }
};

// Finds a plane in which most deforming joints and most of the surface have a mirror image. Joints with sides in their
// names determine the plane; without such names, planes across the axes are tried. Joints are paired by position, and
// by name if several are at one position. Nothing if there is no such plane, as with asymmetric props and poses.
// placed: the skeleton in the scene.
std::optional<Symmetry> findSymmetry(const GuessScene& scene, const Skeleton& placed, std::span<const int> deforming);

// Averages each row with the mirror image of the row on the other side. Vertices without a mirror image and rows with
// joints that have none do not change.
void averageWithMirror(const GuessScene& scene, const Symmetry& symmetry, SparseWeights& weights);

} // namespace skincells::guess
