// Patches of surface that were assigned to a joint they cannot belong to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "guess/guess_scene.h"
#include "skincells/rig.h"

namespace skincells::guess {

// Connected vertices with one source. A patch is stray when none of its neighbors belongs to a related joint, while
// another patch of the same joint on the same connected part does touch one: for example a feather that was assigned to
// the bone of the feather beside it.
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

// Equal, parent and child, or siblings.
bool areRelated(const Skeleton& skeleton, int a, int b);

} // namespace skincells::guess
