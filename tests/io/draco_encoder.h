// Compresses a mesh with Draco's encoder, for tests of the decoder.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "skincells/mesh.h"

namespace skincells::test {

struct DracoData {
  std::vector<std::uint8_t> bytes;
  std::size_t vertex_count = 0;
};
// Attributes get the ids 0 (position), 1 (joints), 2 (weights).
DracoData encodeDraco(const Mesh& mesh, const std::vector<std::array<std::uint8_t, 4>>& joints,
                      const std::vector<std::array<float, 4>>& weights);

} // namespace skincells::test
