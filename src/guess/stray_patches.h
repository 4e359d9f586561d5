// Patches of surface that were given to a joint they cannot belong to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "guess/guess_scene.h"
#include "skincells/rig.h"

namespace skincells::guess {

// Connected vertices with one source. Flesh of a joint hangs together through the skeleton; a patch strays when none of
// the patches around it belongs to its joint's kin, while another patch of the joint on the same connected part touches
// its kin: a feather seen from the feather beside it.
struct Patch {
  int joint = -1;
  std::uint32_t island = 0;
  std::vector<int> neighbors; // joints of the patches around it, sorted
  bool stray = false;
};

struct Patches {
  std::vector<std::uint32_t> patch_of_vertex;
  std::vector<Patch> patches;
};

// joints: per vertex, its source.
Patches findPatches(const GuessScene& scene, std::span<const int> joints, const Skeleton& skeleton);

// Are the joints the same, parent and child, or siblings?
bool areKin(const Skeleton& skeleton, int a, int b);

} // namespace skincells::guess
