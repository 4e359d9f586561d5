// KHR_draco_mesh_compression.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/gltf/model.h"
#include "skincells/mesh.h"
#include "skincells/result.h"

namespace skincells::io {

struct DracoGeometry {
  std::size_t vertex_count = 0;
  std::vector<Triangle> triangles;
  std::map<std::string, std::vector<float>> attributes; // by name: numbers, vertex after vertex
  std::map<std::string, int> columns;                   // by name: numbers per vertex
};

enum class DracoAttributes { Skinning, All }; // Skinning: POSITION, JOINTS_n and WEIGHTS_n
// Decodes a compressed primitive.
Result<DracoGeometry> decodeDraco(const GltfModel& model, const GltfPrimitive& primitive, const std::string& where,
                                  DracoAttributes wanted = DracoAttributes::Skinning);

} // namespace skincells::io
