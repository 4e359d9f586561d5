// Where a character is its own mirror image.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "guess/guess_scene.h"
#include "skincells/rig.h"
#include "skincells/weights.h"

namespace skincells::guess {

// A plane, and which joint stands where another one's mirror image would.
struct Symmetry : MirrorPlane {
  std::vector<int> twin; // by joint: its mirror image, itself where it stands on the plane, -1: none

  Vec3d mirrored(const Vec3d& p) const { return p - normal * (2 * (dot(normal, p) - offset)); }
};

// Looks for a plane in which most of the deforming joints and most of the surface mirror each other. Joints with sides
// in their names say where the plane is; without such names, planes across the axes are tried. Joints are paired by
// place, and by name where several stand on one spot. Nothing when there is no such plane: asymmetric props and poses.
// placed: the skeleton in the scene.
std::optional<Symmetry> findSymmetry(const GuessScene& scene, const Skeleton& placed, std::span<const int> deforming);

// Averages each row with the mirror image of the row on the other side. Vertices without another side, and rows that
// hold joints without a twin, stay as they are.
void averageWithMirror(const GuessScene& scene, const Symmetry& symmetry, SparseWeights& weights);

} // namespace skincells::guess
