// Patches of surface that were given to a joint they cannot belong to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/surface_measure.h"
#include "skincells/rig.h"

namespace skincells::binding {

// A patch: connected vertices with one source. It strays when it is smaller than another patch of its joint on the same
// connected part, and none of the patches around it belongs to its joint's parent, children or siblings: flesh of a
// joint hangs together through the skeleton, so this is a finger seen from the finger beside it, or a skirt seen from
// the other leg.
struct Patch {
  int joint = -1;
  double area = 0;
  bool stray = false;
  std::vector<int> neighbours; // joints of the patches around it, sorted
};

struct Patches {
  std::vector<std::uint32_t> patch_of_vertex;
  std::vector<Patch> patches;
};

// edges: of the welded mesh; sources, areas: per vertex.
Patches findPatches(std::span<const mesh::EdgeWeight> edges, std::span<const int> sources,
                    std::span<const mesh::VertexMeasure> vertices, std::span<const std::uint32_t> island_of_vertex,
                    const Skeleton& skeleton);

// Are the joints parent and child, siblings, or the same? Joints that do not deform count as what they hang under.
bool areKin(const Skeleton& skeleton, int a, int b);

} // namespace skincells::binding
